package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real Jetty under its bound. */
class HttpConnectionsTest {
    private static final int PATIENCE_MILLIS = 30_000;
    private static final long LONG_MILLIS = 3_600_000;

    private final List<Socket> sockets = new ArrayList<>();
    private final CountDownLatch answered = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(2);
    private Server server;
    private ServerConnector connector;
    private HttpConnections connections;

    private void start(int most, long headMillis) throws Exception {
        server = new Server();
        connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback)
                            throws Exception {
                        if (request.getHttpURI().getPath().equals("/slow")) {
                            asked.countDown();
                            answered.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                        }
                        response.setStatus(204);
                        callback.succeeded();
                        return true;
                    }
                });
        server.start();
        connections = new HttpConnections(most, OptionalLong.empty(), headMillis);
        server.addConnector(connections.createConnector(server));
    }

    @AfterEach
    void stop() throws Exception {
        answered.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.stop();
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), connector.getLocalPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private Socket asking(String path) throws IOException {
        Socket socket = connected();
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void answers(Socket socket) throws IOException {
        byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 204".length());
        assertEquals("HTTP/1.1 204", new String(status, StandardCharsets.US_ASCII));
    }

    private static void closes(Socket socket) throws IOException {
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (SocketException e) {
            // Closed hard: as good an end as any.
        }
    }

    @Test
    void idleConnectionsKeepNoRequestOut() throws Exception {
        start(16, LONG_MILLIS);
        Socket first = connected();
        for (int i = 0; i < 512; i++) {
            connected();
        }
        answers(asking("/"));
        closes(first);
        assertTrue(connections.open() <= 16, connections.open() + " connections");
    }

    @Test
    void connectionsWithARequestGiveNoWay() throws Exception {
        start(2, LONG_MILLIS);
        Socket one = asking("/slow");
        Socket two = asking("/slow");
        assertTrue(asked.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        closes(asking("/"));
        answered.countDown();
        answers(one);
        answers(two);
        answers(asking("/")); // by itself, once there is place again
    }

    @Test
    void closesAConnectionWhoseRequestDoesNotComeWhole() throws Exception {
        start(16, 200);
        Socket slow = connected();
        slow.getOutputStream().write("GET / HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
        closes(slow);
        answers(asking("/"));
    }

    @Test
    void leavesDescriptorsForTheProductsOwnFiles() {
        HttpConnections few = new HttpConnections(128, OptionalLong.of(512), LONG_MILLIS);
        assertTrue(few.findings().get(0).message().contains("takes 64 connections and not 128"));
        assertEquals(
                List.of(),
                new HttpConnections(128, OptionalLong.of(65_536), LONG_MILLIS).findings());
    }
}
