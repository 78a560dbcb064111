package palyra.testing.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressConnection;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnelRequest.Security;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.core.egress.WebSocketConnection;
import palyra.api.core.egress.WebSocketRequest;

/**
 * Tunnels for tests: they reach loopback in clear, with no policy, no limits of bytes and no limit
 * of silence, and record only what was asked. {@link #cutAll} does what a withdrawn policy does.
 * WebSockets are those of the JDK, which asks once more when a connection ends before the answer.
 * Thread-safe.
 */
public final class LoopbackTunnels implements EgressTunnels, AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<WebSocketRequest> asked = new ArrayList<>(); // guarded by this
    private final Set<Runnable> cuts = ConcurrentHashMap.newKeySet();

    @Override
    public EgressConnection connect(EgressTunnelRequest request) {
        if (request.security() != Security.PLAIN) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A test connects in clear; ask for " + Security.PLAIN + ".");
        }
        try {
            Socket socket = new Socket();
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), request.port()),
                    request.limits().connectMillis());
            PlainConnection connection = new PlainConnection(socket);
            cuts.add(connection::close);
            return connection;
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private static PalyraException unreachable(Exception e) {
        return new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE, "It could not be reached: " + e + ".", e);
    }

    @Override
    public WebSocketConnection webSocket(WebSocketRequest request) {
        synchronized (this) {
            asked.add(request);
        }
        WebSocket.Builder builder =
                client.newWebSocketBuilder()
                        .connectTimeout(Duration.ofMillis(request.limits().connectMillis()));
        request.headers().forEach(builder::header);
        request.secretHeaders().forEach(builder::header);
        if (!request.protocols().isEmpty()) {
            builder.subprotocols(
                    request.protocols().get(0),
                    request.protocols().stream().skip(1).toArray(String[]::new));
        }
        Opened opened = new Opened();
        try {
            opened.socket = builder.buildAsync(URI.create(request.url()), opened).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof WebSocketHandshakeException refused
                    ? new PalyraException(
                            ErrorCode.TOOL_UNAVAILABLE,
                            "The server opened no WebSocket but answered with status "
                                    + refused.getResponse().statusCode()
                                    + ".",
                            e)
                    : unreachable(e);
        }
        cuts.add(() -> opened.over("it is allowed no more"));
        return opened;
    }

    /** Returns the WebSockets that were asked for, oldest first. */
    public synchronized List<WebSocketRequest> asked() {
        return List.copyOf(asked);
    }

    /** Cuts everything that is open. */
    public void cutAll() {
        cuts.forEach(Runnable::run);
        cuts.clear();
    }

    @Override
    public void close() {
        cutAll();
        client.shutdownNow();
    }

    /** What a connection in clear is. */
    private record PlainConnection(Socket socket) implements EgressConnection {
        @Override
        public java.io.InputStream in() {
            return stream(socket::getInputStream);
        }

        @Override
        public java.io.OutputStream out() {
            return stream(socket::getOutputStream);
        }

        private interface Stream<T> {
            T get() throws IOException;
        }

        private static <T> T stream(Stream<T> stream) {
            try {
                return stream.get();
            } catch (IOException e) {
                throw unreachable(e);
            }
        }

        @Override
        public void upgrade() {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "The connection was not asked for with STARTTLS.");
        }

        @Override
        public String address() {
            return socket.getInetAddress().getHostAddress();
        }

        @Override
        public String applicationProtocol() {
            return "";
        }

        @Override
        public Optional<String> closed() {
            return socket.isClosed() ? Optional.of("it was closed") : Optional.empty();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // it is gone either way
            }
        }
    }

    /** A WebSocket of the JDK whose messages wait in a queue. */
    private static final class Opened implements WebSocketConnection, WebSocket.Listener {
        private static final int WITHOUT_CLOSING = 1006;

        private final LinkedBlockingQueue<Supplier<Message>> arrived = new LinkedBlockingQueue<>();
        private final AtomicReference<String> over = new AtomicReference<>();
        private final StringBuilder text = new StringBuilder();
        private final java.io.ByteArrayOutputStream binary = new java.io.ByteArrayOutputStream();
        private volatile WebSocket socket;

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                Message message = new Message.Text(text.toString());
                text.setLength(0);
                arrived.add(() -> message);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket from, ByteBuffer part, boolean last) {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            binary.writeBytes(bytes);
            if (last) {
                Message message = new Message.Binary(binary.toByteArray());
                binary.reset();
                arrived.add(() -> message);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            if (code == WITHOUT_CLOSING) {
                over("the server ended it without a closing handshake");
                return null;
            }
            Message message = new Message.Closed(code, reason);
            arrived.add(
                    () -> {
                        over.compareAndSet(null, "it was closed");
                        return message;
                    });
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            over(String.valueOf(error.getMessage()));
        }

        private void over(String why) {
            over.compareAndSet(null, why);
            arrived.add(() -> null);
            if (socket != null) {
                socket.abort();
            }
        }

        @Override
        public Message receive() throws IOException {
            requireOpen();
            try {
                Message message = arrived.take().get();
                if (message == null) {
                    requireOpen();
                }
                return message;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                over("its caller was interrupted");
                throw new java.io.InterruptedIOException("It was interrupted.");
            }
        }

        private void requireOpen() throws IOException {
            if (over.get() != null) {
                throw new IOException("The WebSocket is over: " + over.get() + ".");
            }
        }

        private void sent(Supplier<java.util.concurrent.CompletableFuture<WebSocket>> send)
                throws IOException {
            requireOpen();
            try {
                send.get().join();
            } catch (CompletionException e) {
                throw new IOException("It could not be sent.", e);
            }
        }

        @Override
        public synchronized void sendText(String message) throws IOException {
            sent(() -> socket.sendText(message, true));
        }

        @Override
        public synchronized void sendBinary(byte[] bytes) throws IOException {
            sent(() -> socket.sendBinary(ByteBuffer.wrap(bytes.clone()), true));
        }

        @Override
        public synchronized void ping(byte[] bytes) throws IOException {
            sent(() -> socket.sendPing(ByteBuffer.wrap(bytes.clone())));
        }

        @Override
        public synchronized void close(int code, String reason) throws IOException {
            sent(() -> socket.sendClose(code, reason));
        }

        @Override
        public String address() {
            return "127.0.0.1";
        }

        @Override
        public String protocol() {
            return socket.getSubprotocol();
        }

        @Override
        public Optional<String> closed() {
            return Optional.ofNullable(over.get());
        }

        @Override
        public void close() {
            over("it was closed");
        }
    }
}
