package palyra.shared.socket;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Frames over a Unix-domain socket. One thread reads; any thread writes whole frames. The channel
 * closes itself when a time limit ends.
 */
@SuppressWarnings("try") // closing a timeout cancels it
public final class FrameChannel implements AutoCloseable {
    /** How long one read or write may take. */
    @FunctionalInterface
    public interface TimeLimit {
        /** No limit. */
        TimeLimit NONE = action -> () -> {};

        /** Runs {@code action} when the time is over, unless the result is closed before. */
        Timeout start(Runnable action);
    }

    /** A running time limit; closing cancels it. */
    @FunctionalInterface
    public interface Timeout extends AutoCloseable {
        @Override
        void close();
    }

    private final SocketChannel channel;
    private final TimeLimit reading;
    private final TimeLimit writing;
    private final ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);

    /** Guards writing: frames of two threads never mix. */
    private final ReentrantLock writer = new ReentrantLock();

    /** Creates a channel without time limits. */
    public FrameChannel(SocketChannel channel) {
        this(channel, TimeLimit.NONE, TimeLimit.NONE);
    }

    /**
     * Creates a channel with time limits.
     *
     * @param reading from the first byte of a frame to its last
     * @param writing for one frame
     */
    public FrameChannel(SocketChannel channel, TimeLimit reading, TimeLimit writing) {
        this.channel = channel;
        this.reading = reading;
        this.writing = writing;
    }

    /** Connects to a socket, without time limits. */
    public static FrameChannel connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new FrameChannel(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** As {@link #read}, but the wait for the frame counts to its time limit as well. */
    public Optional<Frame> readFirst() throws IOException {
        try (Timeout timeout = reading.start(this::close)) {
            return read();
        }
    }

    /**
     * Waits for the next frame and returns it; empty when the peer closed between two frames.
     *
     * @throws ProtocolException when the peer announces a frame above the limit
     */
    public Optional<Frame> read() throws IOException {
        header.clear().limit(1);
        if (channel.read(header) < 0) {
            return Optional.empty();
        }
        try (Timeout timeout = reading.start(this::close)) {
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
                throw new EOFException("the connection closed inside a frame");
            }
        }
    }

    /** Writes a frame; blocks while the peer does not read. */
    public void write(Frame frame) throws IOException {
        writer.lock();
        try {
            writeAll(frame);
        } finally {
            writer.unlock();
        }
    }

    /**
     * Writes a frame unless another one keeps the channel longer than {@code patience}; returns
     * whether it was written. A signal must not wait behind input that the command does not read.
     */
    public boolean tryWrite(Frame frame, Duration patience) throws IOException {
        try {
            if (!writer.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        try {
            writeAll(frame);
            return true;
        } finally {
            writer.unlock();
        }
    }

    private void writeAll(Frame frame) throws IOException {
        try (Timeout timeout = writing.start(this::close)) {
            ByteBuffer bytes = frame.encoded();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    /** Closes the connection; an error while closing has no consequence and is ignored. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The connection is over either way.
        }
    }
}
