package palyra.launcher;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import palyra.shared.socket.Frame;
import palyra.shared.socket.FrameChannel;

/** The gateway's side of the command socket, played by a script; keeps every frame it got. */
final class FakeServer implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;

    /** What the server does with one connection. */
    interface Script {
        void play(Connection connection) throws IOException, InterruptedException;
    }

    private final ServerSocketChannel listening;
    private final Thread thread;
    private final LinkedBlockingQueue<Frame> received = new LinkedBlockingQueue<>();

    FakeServer(Path state, Script script) throws IOException {
        Path socket = StateFolder.commandSocket(state);
        Files.createDirectories(socket.getParent());
        listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listening.bind(UnixDomainSocketAddress.of(socket));
        thread = new Thread(() -> serve(script), "fake-server");
        thread.start();
    }

    private void serve(Script script) {
        while (listening.isOpen()) {
            try (SocketChannel accepted = listening.accept();
                    Connection connection = new Connection(accepted)) {
                script.play(connection);
            } catch (IOException e) {
                // The client went away, or the test is over.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** The next frame in the order of arrival. */
    Frame next() throws InterruptedException {
        Frame frame = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (frame == null) {
            throw new AssertionError("the client sent nothing more");
        }
        return frame;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        listening.close();
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    }

    /** One accepted connection. */
    final class Connection implements AutoCloseable {
        private final SocketChannel channel;
        private final FrameChannel frames;

        private Connection(SocketChannel channel) {
            this.channel = channel;
            this.frames = new FrameChannel(channel);
        }

        Frame read() throws IOException {
            Frame frame = frames.read().orElseThrow(() -> new IOException("the client closed"));
            received.add(frame);
            return frame;
        }

        /** Reads until a frame of the type came. */
        Frame readUntil(int type) throws IOException {
            Frame frame = read();
            while (frame.type() != type) {
                frame = read();
            }
            return frame;
        }

        void send(Frame frame) throws IOException {
            frames.write(frame);
        }

        void sendRaw(byte[] bytes) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }

        @Override
        public void close() {
            frames.close();
        }
    }
}
