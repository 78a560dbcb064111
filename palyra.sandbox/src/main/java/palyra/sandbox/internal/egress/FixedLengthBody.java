package palyra.sandbox.internal.egress;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body of a known length. Not thread-safe. */
final class FixedLengthBody extends InputStream {
    private final ConnectionInput in;
    private long left;

    FixedLengthBody(ConnectionInput in, long length) {
        this.in = in;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        int got = in.read(into, offset, (int) Math.min(length, left));
        if (got < 0) {
            throw new EOFException("the body ended " + left + " bytes early");
        }
        left -= got;
        return got;
    }
}
