package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.ops.Metric;
import palyra.shared.connection.ConnectionSlots;
import palyra.shared.files.Descriptors;
import palyra.shared.http.ConnectionCredential;
import palyra.testing.wait.Await;

/** A real Jetty under its bound. */
class HttpConnectionsTest {
    private static final int PATIENCE_MILLIS = 30_000;
    private static final int LONG_SECONDS = 3_600;
    private static final int FLOOD = 3_000;

    private final List<Socket> sockets = new ArrayList<>();
    private final CountDownLatch answered = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(2);
    private Server server;
    private ServerConnector connector;
    private HttpConnections connections;

    private static ConnectionSlots places() {
        return new ConnectionSlots(
                "HTTP", HttpAuthorizer.PID, OptionalLong.empty(), Descriptors::forHttp);
    }

    private void start(HttpLimits limits) throws Exception {
        server = new Server();
        connector = new ServerConnector(server);
        connector.setHost("0.0.0.0");
        connector.setIdleTimeout(TimeUnit.SECONDS.toMillis(LONG_SECONDS)); // a flood may last
        connector.setAcceptQueueSize(FLOOD); // a full queue delays each caller by a second
        server.addConnector(connector);
        server.setHandler(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback)
                            throws Exception {
                        response.setStatus(admitted(request) ? 204 : 503);
                        if (request.getHttpURI().getPath().equals("/slow")) {
                            asked.countDown();
                            answered.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                        }
                        callback.succeeded();
                        return true;
                    }
                });
        server.start();
        connections =
                new HttpConnections(
                        limits, places(), () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        Connector none = connections.createConnector(server);
        server.addConnector(none);
        none.start();
    }

    /** What a servlet does: the token of a request is the id of its credential. */
    private static boolean admitted(Request request) {
        String token = request.getHeaders().get("Token");
        HttpConnection connection =
                (HttpConnection) request.getAttribute(ConnectionCredential.ATTRIBUTE);
        if (connection == null) {
            return true; // it is closing
        }
        if (token == null) {
            connection.accept("");
            return true;
        }
        try {
            connection.accept(token);
            return true;
        } catch (PalyraException e) {
            return false;
        }
    }

    @AfterEach
    void stop() throws Exception {
        answered.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        if (server != null) {
            server.stop();
        }
    }

    private Socket connected(String from) throws IOException {
        Socket socket =
                new Socket(
                        InetAddress.getByName("127.0.0.1"),
                        connector.getLocalPort(),
                        InetAddress.getByName(from),
                        0);
        socket.setSoTimeout(PATIENCE_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private static Socket ask(Socket socket, String path, String token) throws IOException {
        String header = token.isEmpty() ? "" : "Token: " + token + "\r\n";
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private Socket asking(String from, String path, String token) throws IOException {
        return ask(connected(from), path, token);
    }

    private static void answers(Socket socket) throws IOException {
        answers(socket, 204);
    }

    private static void answers(Socket socket, int status) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertTrue(next >= 0, "closed after: " + head);
            head.append((char) next);
        }
        assertTrue(head.toString().startsWith("HTTP/1.1 " + status), head.toString());
    }

    private static void closes(Socket socket) throws IOException {
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (SocketException e) {
            // Closed hard: as good an end as any.
        }
    }

    @Test
    void idleConnectionsOfOneAddressKeepNoOtherOut() throws Exception {
        start(new HttpLimits(128, 32, 16, LONG_SECONDS));
        Socket operator = asking("127.0.0.3", "/", "operator");
        answers(operator);
        Socket first = connected("127.0.0.1");
        for (int i = 0; i < FLOOD; i++) {
            connected("127.0.0.1");
        }
        closes(first);
        answers(asking("127.0.0.2", "/", ""));
        answers(ask(operator, "/", "operator"));
        assertTrue(connections.open() <= 32 + 2, connections.open() + " connections");
        for (Socket socket : sockets) {
            socket.close();
        }
        Await.until("all of them to be forgotten", () -> connections.open() == 0);
        answers(asking("127.0.0.1", "/", ""));
    }

    /** Opens a hundred connections, each from an address of its own. */
    private void flood() throws IOException {
        for (int i = 0; i < 100; i++) {
            connected("127.0.1." + (1 + i));
        }
        Await.until("all to be accepted", () -> arrived() == sockets.size());
    }

    private double arrived() {
        return connections.metrics().stream().mapToDouble(Metric::value).sum();
    }

    @Test
    void strangersOfManyAddressesKeepNoCredentialOut() throws Exception {
        start(new HttpLimits(16, 4, 16, LONG_SECONDS));
        flood();
        for (int i = 0; i < 16; i++) {
            answers(asking("127.0.0.1", "/", "operator"));
        }
        flood();
        answers(asking("127.0.0.2", "/", ""));
        assertTrue(connections.open() <= 16 + 2, connections.open() + " connections");
    }

    @Test
    void aCredentialHasItsIdleConnectionsClosedForAFurtherOne() throws Exception {
        start(new HttpLimits(16, 16, 2, LONG_SECONDS));
        Socket first = asking("127.0.0.1", "/", "scraper");
        answers(first);
        Socket second = asking("127.0.0.1", "/", "scraper");
        answers(second);
        answers(asking("127.0.0.1", "/", "scraper"));
        // A connection becomes idle a moment after its answer: either may have been so first.
        Await.until("an idle one to be closed", () -> isClosed(first) || isClosed(second));
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(50);
            return socket.getInputStream().read() == -1;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // closed hard
        }
    }

    @Test
    void connectionsWithARequestAndACredentialGiveNoWay() throws Exception {
        start(new HttpLimits(2, 8, 8, LONG_SECONDS));
        Socket one = asking("127.0.0.1", "/slow", "one");
        Socket two = asking("127.0.0.1", "/slow", "two");
        assertTrue(asked.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        answers(asking("127.0.0.1", "/", "three"), 503);
        answered.countDown();
        answers(one);
        answers(two);
        Await.until( // by itself, once there is place again
                "a place",
                () -> {
                    try {
                        answers(asking("127.0.0.1", "/", "three"));
                        return true;
                    } catch (IOException | AssertionError e) {
                        return false;
                    }
                });
    }

    /** Otherwise a revoked token would keep its places as long as it asks. */
    @Test
    void aConnectionWhoseTokenCountsNoLongerIsAStrangersAgain() throws Exception {
        start(new HttpLimits(16, 1, 16, LONG_SECONDS));
        Socket revoked = asking("127.0.0.1", "/", "once");
        answers(revoked);
        answers(ask(revoked, "/", ""));
        answers(asking("127.0.0.1", "/", ""));
        closes(revoked);
    }

    @Test
    void closesAConnectionWhoseRequestDoesNotComeWhole() throws Exception {
        start(new HttpLimits(16, 16, 16, 1));
        Socket slow = connected("127.0.0.1");
        slow.getOutputStream().write("GET / HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
        closes(slow);
        answers(asking("127.0.0.1", "/", ""));
    }

    /** After an update of the bundle the new component counts the open connections. */
    @Test
    void boundsConnectionsThatWereOpenBefore() throws Exception {
        start(new HttpLimits(16, 16, 16, LONG_SECONDS));
        connections.deactivate();
        Socket before = connected("127.0.0.1");
        answers(ask(before, "/", ""));
        HttpConnections next =
                new HttpConnections(
                        new HttpLimits(16, 1, 16, LONG_SECONDS),
                        places(),
                        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        next.createConnector(server);
        assertEquals(1, next.open());
        answers(asking("127.0.0.1", "/", ""));
        closes(before);
        next.deactivate();
    }

    /** Felix lists an endpoint for each connector, and knows only those of this type. */
    @Test
    void itsConnectorOpensNoPortAndNamesTheAddressOfTheServer() throws Exception {
        start(new HttpLimits(16, 1, 16, LONG_SECONDS));
        assertEquals(2, server.getConnectors().length);
        ServerConnector unused = (ServerConnector) server.getConnectors()[1];
        assertTrue(unused.isStarted());
        assertFalse(unused.isOpen());
        assertEquals("0.0.0.0", unused.getHost());
        assertEquals(connector.getPort(), unused.getPort());
        assertEquals(connector.getDefaultProtocol(), unused.getDefaultProtocol());
        answers(asking("127.0.0.1", "/", ""));
    }

    @Test
    void leavesDescriptorsForTheProductsOwnFiles() {
        ConnectionSlots few =
                new ConnectionSlots(
                        "HTTP", HttpAuthorizer.PID, OptionalLong.of(512), Descriptors::forHttp);
        HttpConnections bounded =
                new HttpConnections(new HttpLimits(128, 32, 16, 30), few, () -> 0L);
        assertTrue(
                bounded.findings().get(0).message().contains("takes 56 connections and not 128"),
                bounded.findings().get(0).message());
    }
}
