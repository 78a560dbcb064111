package palyra.launcher;

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

/** Frames over a Unix-domain socket. One thread reads; any thread writes whole frames. */
final class FrameChannel implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);

    /** Guards writing: frames of two threads never mix. */
    private final ReentrantLock writing = new ReentrantLock();

    FrameChannel(SocketChannel channel) {
        this.channel = channel;
    }

    static FrameChannel connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new FrameChannel(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The next frame; empty when the other side closed between two frames. */
    Optional<Frame> read() throws IOException {
        header.clear();
        if (!fill(header)) {
            return Optional.empty();
        }
        header.flip();
        int type = Byte.toUnsignedInt(header.get());
        int length = header.getInt();
        if (length < 0 || length > Frame.LIMIT_BYTES) {
            throw new ProtocolException(
                    "a frame of "
                            + Integer.toUnsignedLong(length)
                            + " bytes was announced; the limit is "
                            + Frame.LIMIT_BYTES);
        }
        ByteBuffer payload = ByteBuffer.allocate(length);
        if (length > 0 && !fill(payload)) {
            throw new EOFException("the connection closed inside a frame");
        }
        return Optional.of(new Frame(type, payload.array()));
    }

    void write(Frame frame) throws IOException {
        writing.lock();
        try {
            writeAll(frame);
        } finally {
            writing.unlock();
        }
    }

    /**
     * Writes unless another frame keeps the channel longer than the patience: a signal must not
     * hang behind input that the command does not read.
     */
    boolean tryWrite(Frame frame, Duration patience) throws IOException {
        try {
            if (!writing.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
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
            writing.unlock();
        }
    }

    private void writeAll(Frame frame) throws IOException {
        ByteBuffer bytes = frame.encoded();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                if (buffer.position() == 0) {
                    return false;
                }
                throw new EOFException("the connection closed inside a frame");
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
