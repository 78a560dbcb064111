package palyra.backup.internal.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts a stream of any length: AES-256-GCM on segments of 64 KiB, whose nonces hold a random
 * prefix, the segment's number and whether it is the last (the STREAM construction of Hoang,
 * Reyhanitabar, Rogaway and Vizár, 2015). A segment that is changed, moved, repeated or missing,
 * the last one too, is noticed. The form is in docs/formats.md, "Backups".
 */
public final class SealedOutput extends OutputStream {
    /** Begin of every version. */
    static final String KIND = "PALYRA-BACKUP ";

    static final byte[] MAGIC = (KIND + "1\n").getBytes(StandardCharsets.US_ASCII);
    static final int SALT_BYTES = 16;
    static final int PREFIX_BYTES = 7;
    static final int HEADER_BYTES = SALT_BYTES + 4 + PREFIX_BYTES;
    static final int SEGMENT_BYTES = 64 << 10;
    static final int TAG_BYTES = 16;

    private final OutputStream out;
    private final SecretKeySpec key;
    private final byte[] prefix = new byte[PREFIX_BYTES];
    private final byte[] segment = new byte[SEGMENT_BYTES];
    private int filled;
    private int number;

    /** Writes the header. Overwrites {@code passphrase}; {@link #finish} writes the end. */
    public SealedOutput(OutputStream out, byte[] passphrase) throws IOException {
        this(out, passphrase, Passphrase.ITERATIONS);
    }

    /**
     * The same with another cost of guessing the passphrase.
     *
     * @param iterations passes of PBKDF2
     */
    public SealedOutput(OutputStream out, byte[] passphrase, int iterations) throws IOException {
        byte[] salt = new byte[SALT_BYTES];
        SecureRandom random = new SecureRandom();
        random.nextBytes(salt);
        random.nextBytes(prefix);
        this.out = out;
        this.key = Passphrase.key(passphrase, salt, iterations);
        out.write(MAGIC);
        out.write(
                ByteBuffer.allocate(HEADER_BYTES).put(salt).putInt(iterations).put(prefix).array());
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int left = length;
        while (left > 0) {
            if (filled == SEGMENT_BYTES) {
                seal(false); // more comes, so it is not the last
            }
            int part = Math.min(left, SEGMENT_BYTES - filled);
            System.arraycopy(bytes, at, segment, filled, part);
            filled += part;
            at += part;
            left -= part;
        }
    }

    private void seal(boolean last) throws IOException {
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, prefix, number, last);
            out.write(cipher.doFinal(segment, 0, filled));
        } catch (GeneralSecurityException e) {
            throw new IOException("the backup cannot be encrypted", e);
        }
        number = Math.incrementExact(number);
        filled = 0;
    }

    static Cipher cipher(int mode, SecretKeySpec key, byte[] prefix, int number, boolean last)
            throws GeneralSecurityException {
        byte[] nonce =
                ByteBuffer.allocate(12)
                        .put(prefix)
                        .putInt(number)
                        .put((byte) (last ? 1 : 0))
                        .array();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, nonce));
        cipher.updateAAD(MAGIC);
        return cipher;
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    /**
     * Seals the end, without which a reader refuses the whole, and flushes. Leaves the stream below
     * open; nothing may be written afterwards.
     */
    public void finish() throws IOException {
        seal(true);
        out.flush();
    }
}
