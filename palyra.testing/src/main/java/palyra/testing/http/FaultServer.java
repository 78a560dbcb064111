package palyra.testing.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A server on loopback that answers each request by a scene: what it sends, how slowly, and how it
 * breaks off. One request a connection. Thread-safe.
 */
public final class FaultServer implements AutoCloseable {
    /** How one request is answered, on a thread of its own. */
    public interface Scene {
        /** Answers; the connection is closed in good order afterwards unless it was reset. */
        void play(FaultExchange exchange) throws IOException, InterruptedException;
    }

    /**
     * A request that came.
     *
     * @param line request line
     * @param headers names in lower case
     * @param bytes body
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as read
    public record Heard(String line, Map<String, String> headers, byte[] bytes) {
        /** Returns the body as UTF-8. */
        public String body() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private final int port;
    private final Object lock = new Object();
    private final Deque<Scene> queued = new ArrayDeque<>(); // guarded by lock
    private final List<Heard> heard = new ArrayList<>(); // guarded by lock
    private final List<Socket> sockets = new ArrayList<>(); // guarded by lock
    private final List<Thread> threads = new ArrayList<>(); // guarded by lock
    private Scene otherwise = exchange -> exchange.answer(500, "application/json", "{}");
    private ServerSocket listener; // guarded by lock
    private Thread listening; // the thread that takes connections; guarded by lock
    private boolean closed; // guarded by lock

    private FaultServer(ServerSocket listener) {
        this.listener = listener;
        port = listener.getLocalPort();
    }

    /** Opens a server on a free port. */
    public static FaultServer open() {
        return open(0);
    }

    /**
     * Opens a server on a port, for what is configured once and outlives it.
     *
     * @param port 0 for a free one
     * @throws UncheckedIOException when the port is in use
     */
    public static FaultServer open(int port) {
        try {
            ServerSocket socket = new ServerSocket(port, 64, InetAddress.getLoopbackAddress());
            FaultServer server = new FaultServer(socket);
            server.listening = server.begin("fault-server", () -> server.listen(socket));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its address, without a slash at the end. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Returns its port. */
    public int port() {
        return port;
    }

    /** Answers the next request that no scene is queued for by this one. */
    public FaultServer next(Scene scene) {
        synchronized (lock) {
            queued.add(scene);
        }
        return this;
    }

    /** Answers requests that no scene is queued for. */
    public FaultServer otherwise(Scene scene) {
        synchronized (lock) {
            otherwise = scene;
        }
        return this;
    }

    /** Returns the requests that came, oldest first. */
    public List<Heard> heard() {
        synchronized (lock) {
            return List.copyOf(heard);
        }
    }

    /** Refuses connections from now on; those that are open stay. */
    public FaultServer goDown() {
        Thread last;
        synchronized (lock) {
            try {
                listener.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            last = listening;
        }
        join(last); // until then the system may still take a connection
        return this;
    }

    /** Takes connections again, at the same port. */
    public FaultServer comeBack() {
        synchronized (lock) {
            try {
                ServerSocket again = new ServerSocket(port, 64, InetAddress.getLoopbackAddress());
                listener = again;
                listening = begin("fault-server", () -> listen(again));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return this;
    }

    private Thread begin(String name, Runnable work) {
        Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(work);
        synchronized (lock) {
            threads.removeIf(one -> one.getState() == Thread.State.TERMINATED);
            threads.add(thread);
        }
        thread.start();
        return thread;
    }

    private void listen(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                Socket socket = from.accept();
                socket.setTcpNoDelay(true);
                synchronized (lock) {
                    sockets.add(socket);
                }
                begin("fault-server-answer", () -> answer(socket));
            } catch (IOException e) {
                return; // it was closed
            }
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            Heard request = read(new BufferedInputStream(socket.getInputStream()));
            Scene scene;
            synchronized (lock) {
                heard.add(request);
                scene = queued.isEmpty() ? otherwise : queued.remove();
            }
            FaultExchange exchange = new FaultExchange(socket, request);
            scene.play(exchange);
            exchange.end();
        } catch (IOException | InterruptedException e) {
            // the client left, or the test is over
        } finally {
            synchronized (lock) {
                sockets.remove(socket);
            }
        }
    }

    private static Heard read(InputStream in) throws IOException {
        String line = line(in);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            int colon = field.indexOf(':');
            headers.put(
                    field.substring(0, colon).toLowerCase(Locale.ROOT),
                    field.substring(colon + 1).strip());
        }
        if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            return new Heard(line, headers, chunks(in));
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Heard(line, headers, whole(in, length));
    }

    /** A request that is cut off counts as no request. */
    private static byte[] whole(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the client left within a request");
        }
        return bytes;
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = size(in); size > 0; size = size(in)) {
            body.write(whole(in, size));
            line(in);
        }
        while (!line(in).isEmpty()) {
            // trailers
        }
        return body.toByteArray();
    }

    private static int size(InputStream in) throws IOException {
        return Integer.parseInt(line(in).replaceAll(";.*", "").strip(), 16);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the client left");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    /** Cuts everything and waits for its threads. */
    @Override
    public void close() {
        List<Thread> all;
        try {
            synchronized (lock) {
                listener.close();
                closed = true;
                all = List.copyOf(threads);
                cut();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Thread thread : all) {
            thread.interrupt();
            join(thread);
        }
    }

    /** Cuts the connections that are open. */
    public void cut() {
        synchronized (lock) {
            sockets.forEach(FaultServer::cut);
        }
    }

    private static void cut(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether it was closed. */
    public boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }
}
