package palyra.testing.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressConnection;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnelRequest.Security;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;
import palyra.api.core.egress.WebSocketConnection;
import palyra.api.core.egress.WebSocketConnection.Message;
import palyra.api.core.egress.WebSocketRequest;
import palyra.testing.http.FaultyApi.Fault;

class FaultWebSocketTest {
    private static final EgressContext TEST =
            new EgressContext("connector:a", Set.of(), "", "", "", "connector");

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final LoopbackTunnels tunnels = new LoopbackTunnels();
    private final FaultyApi api =
            new FaultyApi() {
                @Override
                protected String name(FaultServer.Heard request) {
                    return request.line().split("[ /]+")[1];
                }

                @Override
                protected Reply act(Call call) {
                    return new Reply(200, "{}");
                }

                @Override
                protected Optional<Talk> talk(Call call) {
                    return call.name().equals("gateway")
                            ? Optional.of(FaultWebSocketTest.this::greet)
                            : Optional.empty();
                }
            };

    private void greet(FaultWebSocket socket) throws IOException {
        socket.send("hello");
        socket.ping();
        for (Optional<String> text = socket.receive(); text.isPresent(); text = socket.receive()) {
            heard.add(text.get());
            socket.sendBinary(text.get().getBytes(StandardCharsets.UTF_8));
        }
    }

    @AfterEach
    void close() {
        tunnels.close();
        api.close();
    }

    private WebSocketConnection open(String path) {
        return tunnels.webSocket(
                new WebSocketRequest(
                        TEST,
                        api.url().replace("http", "ws") + path,
                        Map.of(),
                        Map.of("Authorization", "Bot t"),
                        List.of(),
                        TunnelLimits.DEFAULT,
                        1 << 20));
    }

    @Test
    void itTalksToAClientOfTheJdk() throws IOException {
        WebSocketConnection socket = open("/gateway");
        assertEquals(new Message.Text("hello"), socket.receive());
        String large = "ü".repeat(40_000);
        for (String text : List.of("a", large)) {
            socket.sendText(text);
            assertEquals(
                    text,
                    new String(
                            ((Message.Binary) socket.receive()).bytes(), StandardCharsets.UTF_8));
        }
        socket.close(4_000, "bye");
        assertEquals(new Message.Closed(4_000, "bye"), socket.receive());
        assertTrue(socket.closed().isPresent());
        assertEquals(List.of("a", large), heard);
        assertEquals("Bot t", api.calls("gateway").get(0).request().headers().get("authorization"));
        assertEquals(1, tunnels.asked().size());
    }

    @Test
    void itGoesWrongAsToldBeforeAndAfterTheHandshake() throws IOException {
        CountDownLatch go = new CountDownLatch(1);
        api.fail(
                "gateway",
                Fault.answering(429, "{}"),
                Fault.droppedBefore(),
                Fault.droppedBefore(), // the JDK asks again
                Fault.webSocket(FaultWebSocket::drop),
                Fault.webSocket(FaultWebSocket::leave),
                Fault.webSocket(socket -> socket.raw(new byte[] {(byte) 0xff, 0})),
                Fault.webSocket(socket -> socket.close(4_004, "no")),
                Fault.webSocket(
                        socket -> {
                            go.await();
                            socket.send("late");
                            socket.stall();
                        }));
        PalyraException refused = assertThrows(PalyraException.class, () -> open("/gateway"));
        assertTrue(refused.getMessage().contains("429"), refused.getMessage());
        refused = assertThrows(PalyraException.class, () -> open("/gateway"));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        for (int i = 0; i < 3; i++) {
            WebSocketConnection broken = open("/gateway");
            assertThrows(IOException.class, broken::receive, "fault " + i);
        }
        assertEquals(new Message.Closed(4_004, "no"), open("/gateway").receive());
        WebSocketConnection silent = open("/gateway");
        go.countDown();
        assertEquals(new Message.Text("late"), silent.receive());
        tunnels.cutAll();
        assertThrows(IOException.class, silent::receive);
        assertThrows(PalyraException.class, () -> open("/other"));
        assertEquals(new Message.Text("hello"), open("/gateway").receive(), "and then none");
    }

    @Test
    void connectionsInClearReachIt() throws Exception {
        EgressTunnelRequest request =
                new EgressTunnelRequest(
                        TEST,
                        "127.0.0.1",
                        api.port(),
                        Security.PLAIN,
                        List.of(),
                        TunnelLimits.DEFAULT);
        try (EgressConnection connection = tunnels.connect(request)) {
            connection.out().write("GET /x HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertTrue(
                    new String(connection.in().readAllBytes(), StandardCharsets.US_ASCII)
                            .endsWith("{}"));
        }
        assertThrows(
                PalyraException.class,
                () -> tunnels.connect(EgressTunnelRequest.tls(TEST, "127.0.0.1", api.port())));
    }
}
