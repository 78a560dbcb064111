package palyra.backup.internal.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Decrypts what {@link SealedOutput} wrote. Bytes are given out once their segment is known to be
 * genuine; the end is given out once the last segment is.
 */
public final class SealedInput extends InputStream {
    private final PushbackInputStream in;
    private final SecretKeySpec key;
    private final byte[] prefix = new byte[SealedOutput.PREFIX_BYTES];
    private byte[] segment = new byte[0];
    private int at;
    private int number;
    private boolean last;

    /**
     * Reads the header, after the magic bytes. Overwrites {@code passphrase}.
     *
     * @throws PalyraException CORRUPT when the header is cut off
     */
    public SealedInput(InputStream afterMagic, byte[] passphrase) throws IOException {
        byte[] header = afterMagic.readNBytes(SealedOutput.HEADER_BYTES);
        if (header.length < SealedOutput.HEADER_BYTES) {
            throw corrupt("it ends within its header");
        }
        ByteBuffer fields = ByteBuffer.wrap(header);
        byte[] salt = new byte[SealedOutput.SALT_BYTES];
        fields.get(salt);
        int iterations = fields.getInt();
        fields.get(prefix);
        key = Passphrase.key(passphrase, salt, iterations);
        in = new PushbackInputStream(afterMagic);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        while (at == segment.length) {
            if (last) {
                return -1;
            }
            next();
        }
        int part = Math.min(length, segment.length - at);
        System.arraycopy(segment, at, bytes, offset, part);
        at += part;
        return part;
    }

    private void next() throws IOException {
        byte[] sealed = in.readNBytes(SealedOutput.SEGMENT_BYTES + SealedOutput.TAG_BYTES);
        int more = in.read();
        if (more >= 0) {
            in.unread(more);
        }
        last = more < 0;
        if (sealed.length < SealedOutput.TAG_BYTES) {
            throw corrupt("it is cut off after " + number + " segments");
        }
        try {
            Arrays.fill(segment, (byte) 0);
            segment =
                    SealedOutput.cipher(Cipher.DECRYPT_MODE, key, prefix, number, last)
                            .doFinal(sealed);
            at = 0;
            number++;
        } catch (AEADBadTagException e) {
            throw number == 0
                    ? new PalyraException(
                            ErrorCode.UNAUTHENTICATED,
                            "The passphrase is not the one of this backup, or the backup was"
                                    + " changed.",
                            e)
                    : corrupt("it was changed or cut off after " + number + " segments");
        } catch (GeneralSecurityException e) {
            throw new IOException("the backup cannot be decrypted", e);
        }
    }

    private static PalyraException corrupt(String what) {
        return new PalyraException(
                ErrorCode.CORRUPT, "The backup is damaged: " + what + ". Use another copy of it.");
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
