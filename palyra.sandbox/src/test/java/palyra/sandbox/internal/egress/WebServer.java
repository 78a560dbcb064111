package palyra.sandbox.internal.egress;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on loopback that a test scripts byte by byte. Keeps the heads that it got. */
final class WebServer implements AutoCloseable {
    /** Serves one connection. */
    interface Script {
        void serve(String head, InputStream in, OutputStream out) throws IOException;
    }

    final List<String> heads = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();
    final AtomicInteger now = new AtomicInteger();
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final ServerSocket server;
    private final Script script;

    WebServer(ServerSocket server, Script script) {
        this.server = server;
        this.script = script;
        Thread.ofPlatform().daemon().name("test-server").start(this::accept);
    }

    static WebServer start(Script script) throws IOException {
        return new WebServer(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), script);
    }

    /** Answers everything with a text. */
    static WebServer saying(String text) throws IOException {
        return start((head, in, out) -> out.write(answer(200, "Content-Type: text/plain", text)));
    }

    static byte[] answer(int status, String field, String body) {
        return answer(status, field, body.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] answer(int status, String field, byte[] body) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        String head =
                "HTTP/1.1 "
                        + status
                        + " X\r\n"
                        + (field.isEmpty() ? "" : field + "\r\n")
                        + "Content-Length: "
                        + body.length
                        + "\r\n\r\n";
        all.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        return all.toByteArray();
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                connections.incrementAndGet();
                Thread.ofPlatform().daemon().name("test-server").start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        try (socket) {
            InputStream in = socket.getInputStream();
            String head = head(in);
            heads.add(head);
            script.serve(head, in, socket.getOutputStream());
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // the client is gone
        } finally {
            now.decrementAndGet();
            open.remove(socket);
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Closeable each : open) {
            each.close();
        }
    }
}
