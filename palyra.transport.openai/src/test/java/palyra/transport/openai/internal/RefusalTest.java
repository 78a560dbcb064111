package palyra.transport.openai.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.model.ModelEvent;
import palyra.api.run.RunState;
import palyra.testing.wait.Await;

/** What is refused, and that nothing runs then. */
@Timeout(120)
class RefusalTest {
    private static final String CHAT = "/v1/chat/completions";

    private TestServer server;
    private Client alice;

    @BeforeEach
    void start(@TempDir Path state) throws Exception {
        server = new TestServer(state);
        alice = server.client(server.token("user:alice", "integrator"));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private static ObjectNode hi() {
        return Client.chat("user", "Hi");
    }

    @Test
    void needsAToken() {
        for (String wrong : Set.of("palyra_wrong", "", "x y")) {
            Client.Answered refused = server.client(wrong).post(CHAT, hi());
            assertEquals(401, refused.status());
            assertEquals("invalid_api_key", refused.code());
            assertEquals("Bearer realm=\"palyra\"", refused.header("WWW-Authenticate"));
        }
        Client.Answered without =
                Client.answered(server.send(server.request("/v1/models").GET().build()));
        assertEquals(401, without.status());
        assertEquals(0, server.model.requests().size());
    }

    @Test
    void needsTheActionAndTheScopes() {
        Client viewer = server.client(server.token("user:eve", "viewer"));
        assertEquals(403, viewer.post(CHAT, hi()).status());
        assertEquals(0, viewer.get("/v1/models").body().path("data").size());
        Client narrow =
                server.client(server.token("user:alice", Set.of("openai.chat"), "integrator"));
        assertEquals(403, narrow.post(CHAT, hi()).status()); // it may start no run
        Client other =
                server.client(
                        server.token("user:alice", Set.of("run.start", "run.read"), "integrator"));
        assertEquals(403, other.post(CHAT, hi()).status());
        assertEquals(0, server.runs("user:alice").size());
        server.model.answer("Yes");
        Client enough =
                server.client(
                        server.token(
                                "user:alice",
                                Set.of("openai.chat", "run.start", "run.read"),
                                "integrator"));
        assertEquals(200, enough.post(CHAT, hi()).status());
    }

    @Test
    void listsTheAgents() {
        server.agent("writer");
        assertEquals(
                "[\"default\", \"writer\"]",
                alice.get("/v1/models").body().path("data").findValues("id").toString());
        assertEquals("writer", alice.get("/v1/models/writer").body().path("id").asText());
        Client.Answered unknown = alice.post(CHAT, hi().put("model", "gpt-5"));
        assertEquals(404, unknown.status());
        assertEquals("model_not_found", unknown.code());
        assertTrue(unknown.message().contains("default, writer"), unknown.message());
        assertEquals(404, alice.get("/v1/models/nothing").status());
    }

    @Test
    void refusesRequestsThatAreAddressedToAnotherHost() throws Exception {
        String token = server.token("user:alice", "integrator");
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write(
                            ("GET /v1/models HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer "
                                            + token
                                            + "\r\n\r\n")
                                    .getBytes(StandardCharsets.UTF_8));
            String head =
                    new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
            assertEquals("HTTP/1.1 421", head);
        }
    }

    @Test
    void refusesOtherAddressesAndMethods() {
        assertEquals(404, alice.get("/v1/embeddings").status());
        assertEquals(405, alice.get(CHAT).status());
        Client.Answered deleted = alice.send(alice.to("/v1/responses/resp_x").DELETE().build());
        assertEquals(405, deleted.status());
        assertEquals("not_deletable", deleted.code());
    }

    @Test
    void refusesBodiesThatAreNoRequest() {
        for (String wrong : Set.of("", "[]", "{", "{\"model\":1}", "{\"model\":\"default\"}")) {
            HttpRequest request =
                    alice.to(CHAT).POST(HttpRequest.BodyPublishers.ofString(wrong)).build();
            assertEquals(400, alice.send(request).status(), wrong);
        }
        assertEquals(0, server.model.requests().size());
    }

    @Test
    void refusesLargeBodies() {
        Client.Answered large = alice.post(CHAT, Client.chat("user", "x".repeat(5_000)));
        assertEquals(413, large.status());
        assertEquals("request_too_large", large.code());
        HttpRequest chunked =
                alice.to(CHAT)
                        .POST(
                                HttpRequest.BodyPublishers.ofInputStream(
                                        () -> new java.io.ByteArrayInputStream(new byte[20_000])))
                        .build();
        assertEquals(413, alice.send(chunked).status());
    }

    @Test
    void bodiesThatDoNotArriveInTimeAreGivenUp() throws Exception {
        server.settings =
                new OpenAiSettings(
                        true,
                        server.settings.hosts(),
                        server.settings.conversation(),
                        server.settings.stream(),
                        new OpenAiSettings.Bounds(4_096, 1, 8, 8, 30, 3_600));
        String token = server.token("user:alice", "integrator");
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setTcpNoDelay(true);
            socket.getOutputStream()
                    .write(
                            ("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
                                            + "Authorization: Bearer "
                                            + token
                                            + "\r\nContent-Length: 4000\r\n\r\n")
                                    .getBytes(StandardCharsets.UTF_8));
            CompletableFuture<String> head =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return new String(
                                            socket.getInputStream().readNBytes(12),
                                            StandardCharsets.UTF_8);
                                } catch (java.io.IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            });
            Await.until(
                    "the body to be given up",
                    TestServer.PATIENCE,
                    () -> {
                        try {
                            if (!head.isDone()) {
                                socket.getOutputStream().write(' ');
                            }
                        } catch (java.io.IOException e) {
                            // it was
                        }
                        return head.isDone();
                    });
            assertEquals("HTTP/1.1 408", head.join());
        }
        Await.until("no request to be open", TestServer.PATIENCE, () -> server.calls.size() == 0);
    }

    @Test
    void boundsTheRequestsOfAPrincipalAndAll() {
        server.settings = TestServer.with(new OpenAiSettings.Stream(true, true, false, 15), 2, 1);
        server.model.hold(new ModelEvent.TextDelta("x"));
        server.model.hold(new ModelEvent.TextDelta("x"));
        CompletableFuture<Client.Streamed> first =
                CompletableFuture.supplyAsync(() -> alice.stream(CHAT, hi()));
        Await.until(
                "the first to run", TestServer.PATIENCE, () -> server.model.runningTurns() == 1);
        Client.Answered second = alice.get("/v1/models");
        assertEquals(429, second.status());
        assertFalse(second.header("Retry-After").isEmpty());
        Client bob = server.client(server.token("user:bob", "integrator"));
        CompletableFuture<Client.Streamed> his =
                CompletableFuture.supplyAsync(() -> bob.stream(CHAT, hi()));
        Await.until(
                "the other to run", TestServer.PATIENCE, () -> server.model.runningTurns() == 2);
        Client carol = server.client(server.token("user:carol", "integrator"));
        assertEquals(503, carol.get("/v1/models").status());
        server.calls.closeAll("Over.");
        first.join();
        his.join();
        assertEquals(0, server.calls.size());
    }

    @Test
    void endsStreamsWhoseTokenCountsNoLonger() {
        server.model.hold(new ModelEvent.TextDelta("x"));
        CompletableFuture<Client.Streamed> stream =
                CompletableFuture.supplyAsync(() -> alice.stream(CHAT, hi()));
        Await.until("it to run", TestServer.PATIENCE, () -> server.model.runningTurns() == 1);
        server.calls.checkTokens(token -> server.access.authenticate(token));
        assertFalse(stream.isDone());
        server.revoke("user:alice");
        server.calls.checkTokens(token -> server.access.authenticate(token));
        assertTrue(stream.join().error().path("message").asText().contains("counts no longer"));
    }

    @Test
    void endsRequestsThatTakeTooLong() {
        server.settings =
                new OpenAiSettings(
                        true,
                        server.settings.hosts(),
                        server.settings.conversation(),
                        server.settings.stream(),
                        new OpenAiSettings.Bounds(4_096, 10, 8, 8, 30, 1));
        server.model.hold();
        CompletableFuture<Client.Answered> answer =
                CompletableFuture.supplyAsync(() -> alice.post(CHAT, hi()));
        Await.until(
                "it to be ended",
                TestServer.PATIENCE,
                () -> {
                    server.calls.sweep();
                    return answer.isDone();
                });
        assertEquals(503, answer.join().status());
        assertEquals("stream_ended", answer.join().code());
    }

    @Test
    void aReaderThatStallsIsCutOffAndItsRunGoesOn() throws Exception {
        server.settings =
                new OpenAiSettings(
                        true,
                        server.settings.hosts(),
                        server.settings.conversation(),
                        new OpenAiSettings.Stream(true, true, true, 15),
                        new OpenAiSettings.Bounds(4_096, 10, 8, 8, 1, 3_600));
        String large = "0123456789abcdef".repeat(64 << 10);
        server.model.hold(new ModelEvent.TextDelta(large));
        server.model.answer(large);
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new java.net.InetSocketAddress("127.0.0.1", server.port()));
            byte[] body = hi().put("stream", true).toString().getBytes(StandardCharsets.UTF_8);
            socket.getOutputStream()
                    .write(
                            ("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
                                            + "Authorization: Bearer "
                                            + server.token("user:slow", "integrator")
                                            + "\r\nContent-Length: "
                                            + body.length
                                            + "\r\n\r\n")
                                    .getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(body);
            Await.until(
                    "the run to run", TestServer.PATIENCE, () -> server.model.runningTurns() == 1);
            Await.until(
                    "the stalled stream to be ended",
                    TestServer.PATIENCE,
                    () -> {
                        server.calls.sweep();
                        return server.calls.stalled() > 0;
                    });
        }
        Await.until("it to be gone", TestServer.PATIENCE, () -> server.calls.size() == 0);
        server.engineGoes();
        server.engineComes();
        Await.until(
                "the run to end",
                TestServer.PATIENCE,
                () -> server.runs("user:slow").getFirst().state().terminal());
        assertEquals(RunState.SUCCEEDED, server.runs("user:slow").getFirst().state());
    }

    @Test
    void isOffWhenConfiguredSo() {
        server.settings = null;
        Client.Answered off = alice.get("/v1/models");
        assertEquals(404, off.status());
        assertEquals("server_off", off.code());
    }
}
