package palyra.shell.internal.socket;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * Frames over a connected socket. One thread reads and one writes. A peer that begins a frame and
 * does not end it, or leaves output unread for too long, is cut off.
 */
@SuppressWarnings("try") // a guard is there to be closed: that calls the deadline off
final class FrameChannel implements AutoCloseable {
    private final SocketChannel channel;
    private final Deadlines deadlines;
    private final Limits limits;
    private final ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);

    FrameChannel(SocketChannel channel, Deadlines deadlines, Limits limits) {
        this.channel = channel;
        this.deadlines = deadlines;
        this.limits = limits;
    }

    /** Returns the first frame, which must come in time; empty when the peer left before it. */
    Optional<Frame> readFirst() throws IOException {
        try (Deadlines.Guard guard = deadlines.in(limits.requestTimeoutMillis(), this::close)) {
            return read();
        }
    }

    /**
     * Returns the next frame; empty when the peer closed between two frames.
     *
     * @throws ProtocolException when what came is no frame
     */
    Optional<Frame> read() throws IOException {
        header.clear().limit(1);
        if (channel.read(header) < 0) {
            return Optional.empty();
        }
        try (Deadlines.Guard guard = deadlines.in(limits.requestTimeoutMillis(), this::close)) {
            header.limit(Frame.HEADER_BYTES);
            fill(header);
            header.flip();
            int type = Byte.toUnsignedInt(header.get());
            ByteBuffer payload = ByteBuffer.allocate(length(header.getInt()));
            fill(payload);
            return Optional.of(new Frame(type, payload.array()));
        }
    }

    private static int length(int announced) throws ProtocolException {
        if (announced < 0 || announced > Frame.LIMIT_BYTES) {
            throw new ProtocolException(
                    "A frame of "
                            + Integer.toUnsignedLong(announced)
                            + " bytes was announced; the limit is "
                            + Frame.LIMIT_BYTES
                            + ".");
        }
        return announced;
    }

    private void fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the connection ended inside a frame");
            }
        }
    }

    /** Writes a frame; blocks while the peer lags. */
    void write(Frame frame) throws IOException {
        try (Deadlines.Guard guard = deadlines.in(limits.stallTimeoutMillis(), this::close)) {
            ByteBuffer bytes = frame.encoded();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use either way.
        }
    }
}
