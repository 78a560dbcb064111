package palyra.sandbox.internal.egress;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream with a small buffer that never waits for more than there is: what has arrived is given
 * at once, as live streams need it. Not thread-safe.
 */
final class ConnectionInput extends InputStream {
    private final InputStream from;
    private final byte[] buffer = new byte[16_384];
    private int at;
    private int end;

    ConnectionInput(InputStream from) {
        this.from = from;
    }

    @Override
    public int read() throws IOException {
        return fill() ? buffer[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int given = Math.min(length, end - at);
        System.arraycopy(buffer, at, into, offset, given);
        at += given;
        return given;
    }

    private boolean fill() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, from.read(buffer, 0, buffer.length));
        }
        return at < end;
    }

    /** Reads exactly so many bytes. */
    byte[] exactly(int length) throws IOException {
        byte[] bytes = readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection ended early");
        }
        return bytes;
    }

    /**
     * Reads a line that ends with CR LF, which are left out. A CR or LF elsewhere and control
     * characters other than a tab are refused (RFC 9112, section 2.2; RFC 9110, section 5.5).
     *
     * @return the line as ISO 8859-1, or null at the end of the stream before its first character
     */
    String line(int longest) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = read(); ; next = read()) {
            if (next < 0) {
                if (line.isEmpty()) {
                    return null;
                }
                throw new EOFException("the connection ended within a line");
            }
            if (next == '\r') {
                if (read() != '\n') {
                    throw new MalformedException("a line has a carriage return within");
                }
                return line.toString();
            }
            if ((next < 0x20 && next != '\t') || next == 0x7f) {
                throw new MalformedException(
                        "a line has a control character or ends with LF alone");
            }
            if (line.length() >= longest) {
                throw new MalformedException("a line is longer than " + longest + " bytes");
            }
            line.append((char) next);
        }
    }
}
