package palyra.skills.engine.endive.internal.protocol;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The compiler process's response on its standard output: four bytes {@code PWC2}, one byte for
 * whether the module was compiled, the length of the body, the body, and the SHA-256 of that byte
 * and the body.
 *
 * @param compiled whether the body is a {@link ClassPack}; otherwise it is the reason as UTF-8
 * @param body the body; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never kept
public record CompileResponse(boolean compiled, byte[] body) {
    private static final int MAGIC = 0x50574332;
    private static final int DIGEST_BYTES = 32;

    /** Writes it. */
    public void write(OutputStream to) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        out.writeInt(MAGIC);
        out.writeByte(compiled ? 1 : 0);
        out.writeInt(body.length);
        out.write(body);
        out.write(digest());
        out.flush();
    }

    /**
     * Reads one, and the end of the stream after it.
     *
     * @param mostBytes largest body that is taken
     * @throws TooLarge when the body is larger
     * @throws IOException when it is something else, or was changed
     */
    public static CompileResponse read(InputStream from, int mostBytes) throws IOException {
        DataInputStream in = new DataInputStream(from);
        if (in.readInt() != MAGIC) {
            throw new IOException("the answer of the compiler does not begin as one");
        }
        boolean compiled = in.readByte() != 0;
        int length = in.readInt();
        if (length < 0 || length > mostBytes) {
            throw new TooLarge(length);
        }
        CompileResponse answer = new CompileResponse(compiled, in.readNBytes(length));
        byte[] digest = in.readNBytes(DIGEST_BYTES);
        if (!MessageDigest.isEqual(digest, answer.digest()) || in.read() >= 0) {
            throw new IOException("the answer of the compiler is not whole");
        }
        return answer;
    }

    private byte[] digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((byte) (compiled ? 1 : 0));
            return digest.digest(body);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JVM has no SHA-256", e);
        }
    }

    /** The body is larger than the limit. */
    public static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1L;

        private final int bytes;

        TooLarge(int bytes) {
            super("an answer of " + bytes + " bytes");
            this.bytes = bytes;
        }

        /** Returns how large it was said to be. */
        public int bytes() {
            return bytes;
        }
    }
}
