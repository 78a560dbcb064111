package palyra.sandbox.internal.egress;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body in chunks (RFC 9112, section 7.1); extensions and trailers are dropped. */
final class ChunkedBody extends InputStream {
    private static final int LONGEST_LINE = 4_096;
    private static final int MOST_TRAILERS = 100;

    private final ConnectionInput in;
    private long left;
    private boolean first = true;
    private boolean ended;

    ChunkedBody(ConnectionInput in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0 && !ended) {
            next();
        }
        if (ended) {
            return -1;
        }
        int got = in.read(into, offset, (int) Math.min(length, left));
        if (got < 0) {
            throw new EOFException("the body ended within a chunk");
        }
        left -= got;
        return got;
    }

    private void next() throws IOException {
        if (!first && !line().isEmpty()) {
            throw new MalformedException("a chunk is longer than it says");
        }
        first = false;
        String size = line();
        int extension = size.indexOf(';');
        String digits = (extension < 0 ? size : size.substring(0, extension)).strip();
        if (!digits.matches("[0-9a-fA-F]{1,12}")) {
            throw new MalformedException("the size of a chunk is not a number");
        }
        left = Long.parseLong(digits, 16);
        if (left == 0) {
            skipTrailers();
            ended = true;
        }
    }

    private void skipTrailers() throws IOException {
        for (int i = 0; i < MOST_TRAILERS; i++) {
            if (line().isEmpty()) {
                return;
            }
        }
        throw new MalformedException("the body has too many trailers");
    }

    private String line() throws IOException {
        String line = in.line(LONGEST_LINE);
        if (line == null) {
            throw new EOFException("the body ended between chunks");
        }
        return line;
    }
}
