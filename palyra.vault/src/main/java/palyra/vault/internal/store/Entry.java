package palyra.vault.internal.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;

/**
 * An entry of the index about a secret.
 *
 * @param info its public metadata
 * @param file name of the file with its value: 32 hexadecimal digits
 * @param sha256 digest of that file
 */
@SuppressWarnings("ArrayRecordComponent") // compared by Arrays.equals
public record Entry(SecretInfo info, String file, byte[] sha256) {
    static final int DIGEST_BYTES = 32;

    private static final int FILE_BYTES = 16;
    private static final byte PUT = 1;
    private static final byte REMOVE = 2;

    /** Returns the key by which entries are sorted and found. */
    static String name(SecretRef ref) {
        return ref.scope() + "/" + ref.key();
    }

    /** Returns whether a file's content is the one that this entry was written with. */
    boolean fits(byte[] content) {
        return MessageDigest.isEqual(sha256, digest(content));
    }

    static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Returns the index record that says: this is now kept. */
    byte[] put() {
        byte[] scope = utf8(info.ref().scope());
        byte[] key = utf8(info.ref().key());
        byte[] by = utf8(info.updatedBy());
        return ByteBuffer.allocate(
                        1
                                + 4
                                + scope.length
                                + 4
                                + key.length
                                + 4
                                + by.length
                                + 8 * 3
                                + 4 * 2
                                + FILE_BYTES
                                + DIGEST_BYTES)
                .put(PUT)
                .putInt(scope.length)
                .put(scope)
                .putInt(key.length)
                .put(key)
                .putInt(by.length)
                .put(by)
                .putLong(info.version())
                .putInt(info.bytes())
                .putLong(info.createdAtMillis())
                .putLong(info.updatedAtMillis())
                .putInt(info.keyVersion())
                .put(HexFormat.of().parseHex(file))
                .put(sha256)
                .array();
    }

    /** Returns the index record that says: this is no longer kept. */
    static byte[] remove(SecretRef ref) {
        byte[] name = utf8(name(ref));
        return ByteBuffer.allocate(1 + name.length).put(REMOVE).put(name).array();
    }

    /** Returns whether a record takes something away. */
    static boolean removes(byte[] record) {
        return record[0] == REMOVE;
    }

    /** Returns the name of what a record is about. */
    static String nameIn(byte[] record) {
        return removes(record)
                ? new String(record, 1, record.length - 1, StandardCharsets.UTF_8)
                : name(of(record).info().ref());
    }

    /** Reads a record of {@link #put}, whose authenticity was checked. */
    static Entry of(byte[] record) {
        ByteBuffer from = ByteBuffer.wrap(record, 1, record.length - 1);
        SecretRef ref = new SecretRef(text(from), text(from));
        String by = text(from);
        SecretInfo info =
                new SecretInfo(
                        ref,
                        from.getLong(),
                        from.getInt(),
                        from.getLong(),
                        from.getLong(),
                        by,
                        from.getInt());
        byte[] file = new byte[FILE_BYTES];
        from.get(file);
        return new Entry(
                info,
                HexFormat.of().formatHex(file),
                Arrays.copyOfRange(record, record.length - DIGEST_BYTES, record.length));
    }

    private static String text(ByteBuffer from) {
        byte[] bytes = new byte[from.getInt()];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
