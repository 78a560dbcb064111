package palyra.vault.internal.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import palyra.vault.internal.crypto.Hkdf;

/**
 * The form of the index's log: records of {@code u32 length ‖ record ‖ MAC[32]}. Each MAC covers
 * the one before and the record; the first follows from the name of the log. So no record can be
 * changed, left out, or moved. Pure.
 */
final class Log {
    private static final int MAC_BYTES = 32;
    private static final int MOST_RECORD_BYTES = 4_096;

    private Log() {}

    /**
     * Records in their written form.
     *
     * @param bytes to add to the log
     * @param last MAC of the last of them
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Written(byte[] bytes, byte[] last) {}

    /** Returns the MAC that precedes the first record. */
    static byte[] start(byte[] indexKey, String log) {
        return Hkdf.mac(indexKey, ("palyra.vault.log.v1 " + log).getBytes(StandardCharsets.UTF_8));
    }

    static Written write(byte[] indexKey, byte[] before, List<byte[]> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] last = before;
        for (byte[] record : records) {
            last = Hkdf.mac(indexKey, last, record);
            out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(record.length).array());
            out.writeBytes(record);
            out.writeBytes(last);
        }
        return new Written(out.toByteArray(), last);
    }

    /** Reads the records up to {@code length}; empty unless they end there with {@code last}. */
    static Optional<List<byte[]>> read(
            byte[] indexKey, byte[] start, byte[] bytes, long length, byte[] last) {
        if (length > bytes.length) {
            return Optional.empty();
        }
        List<byte[]> records = new ArrayList<>();
        ByteBuffer from = ByteBuffer.wrap(bytes, 0, (int) length);
        byte[] before = start;
        while (from.remaining() >= Integer.BYTES + 1 + MAC_BYTES) {
            int size = from.getInt();
            if (size < 1 || size > MOST_RECORD_BYTES || size > from.remaining() - MAC_BYTES) {
                return Optional.empty();
            }
            byte[] record = new byte[size];
            byte[] mac = new byte[MAC_BYTES];
            from.get(record).get(mac);
            before = Hkdf.mac(indexKey, before, record);
            if (!MessageDigest.isEqual(before, mac)) {
                return Optional.empty();
            }
            records.add(record);
        }
        return !from.hasRemaining() && Arrays.equals(before, last)
                ? Optional.of(records)
                : Optional.empty();
    }
}
