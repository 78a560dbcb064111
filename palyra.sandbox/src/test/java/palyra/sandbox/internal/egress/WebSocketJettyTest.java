package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;
import palyra.api.core.egress.WebSocketConnection;
import palyra.api.core.egress.WebSocketConnection.Message;
import palyra.api.core.egress.WebSocketRequest;

/** Against a server that is not of this project, which judges what the client sends. */
class WebSocketJettyTest extends SenderFixture {
    private static final int MOST = 4 << 20;

    private Server jetty;
    private int port;

    /** Answers with what it gets, also in parts and after a ping, and closes on a word. */
    public static final class Echo implements Session.Listener.AutoDemanding {
        private Session session;

        @Override
        public void onWebSocketOpen(Session opened) {
            session = opened;
        }

        @Override
        public void onWebSocketText(String text) {
            if (text.startsWith("close ")) {
                session.close(Integer.parseInt(text.substring(6)), "as told", Callback.NOOP);
            } else if (text.startsWith("parts ")) {
                session.sendPartialText("a", false, Callback.from(() -> ping(), failure -> {}));
            } else {
                session.sendText(text, Callback.NOOP);
            }
        }

        private void ping() {
            session.sendPing(
                    ByteBuffer.wrap(new byte[] {1}),
                    Callback.from(
                            () -> session.sendPartialText("b", true, Callback.NOOP),
                            failure -> {}));
        }

        @Override
        public void onWebSocketBinary(ByteBuffer bytes, Callback done) {
            session.sendBinary(bytes, done);
        }
    }

    @BeforeEach
    void startJetty() throws Exception {
        jetty = new Server();
        ServerConnector connector = new ServerConnector(jetty);
        connector.setHost("127.0.0.1");
        jetty.addConnector(connector);
        jetty.setHandler(
                WebSocketUpgradeHandler.from(
                        jetty,
                        container -> {
                            container.setMaxTextMessageSize(MOST);
                            container.setMaxBinaryMessageSize(MOST);
                            container.setMaxFrameSize(MOST);
                            container.addMapping(
                                    "/echo",
                                    (request, response, callback) -> {
                                        if (request.hasSubProtocol("v1")) {
                                            response.setAcceptedSubProtocol("v1");
                                        }
                                        return new Echo();
                                    });
                        }));
        jetty.start();
        port = connector.getLocalPort();
    }

    @AfterEach
    void stopJetty() throws Exception {
        jetty.stop();
    }

    private WebSocketConnection open(String path, String... protocols) {
        return stage.core
                .tunnelsOf("org.example")
                .webSocket(
                        new WebSocketRequest(
                                new EgressContext("connector:a", Set.of(), "", "", "", "connector"),
                                "ws://allowed.test:" + port + path,
                                Map.of(),
                                Map.of(),
                                List.of(protocols),
                                TunnelLimits.DEFAULT,
                                MOST));
    }

    @Test
    void messagesOfEverySizeComeBack() throws IOException {
        WebSocketConnection socket = open("/echo", "v2", "v1");
        assertEquals("v1", socket.protocol());
        for (int size : new int[] {0, 1, 124, 125, 126, 127, 65_535, 65_536, 1 << 20}) {
            byte[] bytes = new byte[size];
            Arrays.fill(bytes, (byte) 'x');
            socket.sendBinary(bytes);
            assertEquals(size, ((Message.Binary) socket.receive()).bytes().length);
            String text = "ü".repeat(size);
            socket.sendText(text);
            assertEquals(text, ((Message.Text) socket.receive()).text());
        }
        socket.ping(new byte[] {1, 2, 3});
        socket.sendText("parts please");
        assertEquals(new Message.Text("ab"), socket.receive());
        socket.close(1_000, "done");
        assertEquals(1_000, ((Message.Closed) socket.receive()).code());
        assertEquals("ended", stage.journal.closed(1).get(0).path("outcome").asText());
    }

    @Test
    void theServerClosesWithItsCode() throws IOException {
        for (int code : new int[] {1_000, 1_001, 1_008, 1_011, 1_012, 3_000, 4_004, 4_999}) {
            WebSocketConnection socket = open("/echo");
            socket.sendText("close " + code);
            assertEquals(new Message.Closed(code, "as told"), socket.receive());
        }
    }

    @Test
    void anotherPathIsNoWebSocket() {
        String why =
                assertThrows(palyra.api.PalyraException.class, () -> open("/other")).getMessage();
        assertEquals(true, why.contains("status 404"), why);
    }

    /** It says so or not, as it has the time. */
    @Test
    void aServerThatGoesIsNoticed() throws Exception {
        WebSocketConnection socket = open("/echo");
        socket.sendText("there");
        socket.receive();
        jetty.stop();
        try {
            assertEquals(1_001, ((Message.Closed) socket.receive()).code());
        } catch (IOException e) {
            assertEquals(e.getCause().getMessage(), socket.closed().orElseThrow());
        }
        assertThrows(IOException.class, () -> socket.sendText("gone?"));
    }
}
