package palyra.shared.hash;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 (FIPS 180-4) over fields that cannot run into each other: {@code lp(x)} is the length as
 * an unsigned 64-bit big-endian number, then the bytes. Not thread-safe; one instance makes one
 * digest.
 */
public final class Digests {
    private final MessageDigest digest;
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

    private Digests(String tag) {
        digest = sha256();
        digest.update(tag.getBytes(StandardCharsets.US_ASCII));
    }

    /** Begins a digest with an ASCII domain tag, which is not length-prefixed. */
    public static Digests tagged(String tag) {
        return new Digests(tag);
    }

    /** Adds {@code lp(bytes)}. */
    public Digests lp(byte[] bytes) {
        u64(bytes.length);
        digest.update(bytes);
        return this;
    }

    /** Adds {@code lp} of the text's UTF-8. */
    public Digests lp(String text) {
        return lp(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds bytes as they are. */
    public Digests raw(byte[] bytes) {
        digest.update(bytes);
        return this;
    }

    /** Adds a 64-bit big-endian number, signed or unsigned. */
    public Digests u64(long value) {
        digest.update(number.putLong(0, value).array(), 0, Long.BYTES);
        return this;
    }

    /** Adds a 32-bit big-endian number. */
    public Digests u32(int value) {
        number.putInt(0, value);
        digest.update(number.array(), 0, Integer.BYTES);
        return this;
    }

    /** Adds one byte. */
    public Digests u8(int value) {
        digest.update((byte) value);
        return this;
    }

    /** Returns the 32 bytes; the instance is used up. */
    public byte[] bytes() {
        return digest.digest();
    }

    /** Returns SHA-256 of {@code bytes}. */
    public static byte[] sha256(byte[] bytes) {
        return sha256().digest(bytes);
    }

    /** Returns SHA-256 of {@code bytes} as lower-case hex. */
    public static String sha256Hex(byte[] bytes) {
        return hex(sha256(bytes));
    }

    /** Returns SHA-256 of the text's UTF-8 as lower-case hex. */
    public static String sha256Hex(String text) {
        return sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns lower-case hex. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns a new SHA-256 digest. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
