package palyra.vault.internal.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import palyra.vault.internal.crypto.Hkdf;

/**
 * The state of the store in one small file that is replaced as a whole: {@code "PVH1" ‖ u64 counter
 * ‖ u32 version of the master key ‖ log[16] ‖ u64 length of the log ‖ MAC of its last record[32] ‖
 * u32 secrets ‖ MAC[32]}.
 *
 * @param counter counts the changes
 * @param keyVersion newest master key that was in use
 * @param log name of the log: 32 hexadecimal digits
 * @param logLength how many bytes of it count
 * @param last MAC of the last record that counts
 * @param secrets how many are kept
 */
@SuppressWarnings("ArrayRecordComponent") // compared as bytes
record Head(long counter, int keyVersion, String log, long logLength, byte[] last, int secrets) {
    static final int BYTES = 108;

    private static final byte[] MAGIC = "PVH1".getBytes(StandardCharsets.US_ASCII);
    private static final int ID_BYTES = 16;
    private static final int MAC_BYTES = 32;

    byte[] bytes(byte[] indexKey) {
        byte[] body =
                ByteBuffer.allocate(BYTES - MAC_BYTES)
                        .put(MAGIC)
                        .putLong(counter)
                        .putInt(keyVersion)
                        .put(HexFormat.of().parseHex(log))
                        .putLong(logLength)
                        .put(last)
                        .putInt(secrets)
                        .array();
        return ByteBuffer.allocate(BYTES).put(body).put(Hkdf.mac(indexKey, body)).array();
    }

    /** Reads it; empty when it is not what this key's owner wrote. */
    static Optional<Head> of(byte[] bytes, byte[] indexKey) {
        if (bytes.length != BYTES) {
            return Optional.empty();
        }
        byte[] body = Arrays.copyOf(bytes, BYTES - MAC_BYTES);
        byte[] mac = Arrays.copyOfRange(bytes, body.length, BYTES);
        boolean ours =
                Arrays.equals(MAGIC, Arrays.copyOf(body, MAGIC.length))
                        && MessageDigest.isEqual(mac, Hkdf.mac(indexKey, body));
        if (!ours) {
            return Optional.empty();
        }
        ByteBuffer from = ByteBuffer.wrap(body, MAGIC.length, body.length - MAGIC.length);
        long counter = from.getLong();
        int keyVersion = from.getInt();
        byte[] log = new byte[ID_BYTES];
        from.get(log);
        long length = from.getLong();
        byte[] last = new byte[MAC_BYTES];
        from.get(last);
        String name = HexFormat.of().formatHex(log);
        return Optional.of(new Head(counter, keyVersion, name, length, last, from.getInt()));
    }
}
