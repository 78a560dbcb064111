package palyra.connectors.discord.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * What Discord sends over one connection as one zlib stream, of which each payload ends with a
 * flush. Only for the thread that receives.
 */
final class ZlibStream implements AutoCloseable {
    private static final int FLUSH = 0x0000ffff; // what Z_SYNC_FLUSH ends with
    private static final int PIECE = 16_384;

    private final Inflater inflater = new Inflater();
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream(PIECE);
    private final byte[] piece = new byte[PIECE];
    private final int mostBytes;
    private int last; // four bytes that came, over the ends of messages

    /**
     * Begins one.
     *
     * @param mostBytes largest payload, inflated
     */
    ZlibStream(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Takes a message; returns the payload that it ends, empty when it ends none.
     *
     * @throws IOException saying why, when it is no part of the stream or the payload is too large;
     *     the connection is of no use then
     */
    Optional<String> take(byte[] message) throws IOException {
        for (int at = Math.max(0, message.length - Integer.BYTES); at < message.length; at++) {
            last = last << Byte.SIZE | message[at] & 0xff;
        }
        inflater.setInput(message);
        inflate();
        if (last != FLUSH) {
            return Optional.empty();
        }
        String text = payload.toString(StandardCharsets.UTF_8);
        payload.reset();
        return Optional.of(text);
    }

    private void inflate() throws IOException {
        try {
            int length;
            do {
                length = inflater.inflate(piece);
                if (payload.size() + length > mostBytes) {
                    throw new IOException(
                            "Discord sent a payload of more than " + mostBytes + " bytes");
                }
                payload.write(piece, 0, length);
            } while (length > 0);
        } catch (DataFormatException e) {
            throw new IOException("Discord sent what is no zlib stream: " + e.getMessage(), e);
        }
        if (inflater.getRemaining() > 0) {
            throw new IOException("Discord sent what is no zlib stream: it goes on after its end");
        }
    }

    /** Gives back what it has outside of the heap. */
    @Override
    public void close() {
        inflater.end();
    }
}
