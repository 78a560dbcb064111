package palyra.shell.internal.socket;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A client of the command socket, written against the protocol and nothing else. */
final class TestClient implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;

    private final SocketChannel channel;
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();

    TestClient(Path socket) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
    }

    static TestClient request(Path socket, String... argv) throws IOException {
        TestClient client = new TestClient(socket);
        client.request(argv);
        return client;
    }

    void request(String... argv) throws IOException {
        Map<String, Object> request =
                Map.of(
                        "argv",
                        List.of(argv),
                        "tty",
                        false,
                        "columns",
                        100,
                        "rows",
                        24,
                        "cwd",
                        "/somewhere",
                        "env",
                        Map.of());
        send(1, new ObjectMapper().writeValueAsBytes(request));
    }

    void send(int type, byte[] payload) throws IOException {
        raw(
                ByteBuffer.allocate(5 + payload.length)
                        .put((byte) type)
                        .putInt(payload.length)
                        .put(payload)
                        .array());
    }

    void send(int type, String text) throws IOException {
        send(type, text.getBytes(StandardCharsets.UTF_8));
    }

    void raw(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Reads to the exit frame; -1 when the server closed without one. */
    int exit() throws Exception {
        return within(
                () -> {
                    while (true) {
                        int type = read(1).get();
                        byte[] payload = read(read(4).getInt()).array();
                        switch (type) {
                            case 16 -> out.write(payload);
                            case 17 -> err.write(payload);
                            case 18 -> {
                                return ByteBuffer.wrap(payload).getInt();
                            }
                            default -> throw new AssertionError("unknown frame type " + type);
                        }
                    }
                });
    }

    /** Reads the empty frame of standard output that comes before anything runs. */
    void awaitTaken() throws Exception {
        within(
                () -> {
                    if (read(1).get() != 16 || read(4).getInt() != 0) {
                        throw new AssertionError("the first frame is not an empty output");
                    }
                    return 0;
                });
    }

    /** Reads until standard output holds {@code text}. */
    void awaitOut(String text) throws Exception {
        within(
                () -> {
                    while (!outText().contains(text)) {
                        int type = read(1).get();
                        byte[] payload = read(read(4).getInt()).array();
                        (type == 16 ? out : err).write(payload);
                    }
                    return 0;
                });
    }

    /** What may fail. */
    private interface Reading {
        int read() throws Exception;
    }

    private static int within(Reading reading) throws Exception {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(reading.read());
                            } catch (IOException e) {
                                result.complete(-1);
                            } catch (Throwable e) {
                                result.completeExceptionally(e);
                            }
                        });
        try {
            return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new AssertionError("the server did not answer as expected", e);
        }
    }

    private ByteBuffer read(int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException();
            }
        }
        return buffer.flip();
    }

    String outText() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String errText() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
