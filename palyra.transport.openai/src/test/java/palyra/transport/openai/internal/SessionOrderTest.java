package palyra.transport.openai.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.testing.wait.Await;

/** Requests at the same moment for one session. */
@Timeout(120)
class SessionOrderTest {
    private static final int MANY = 8;

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

    private interface Asking {
        Client.Answered ask(int number);
    }

    private static List<CompletableFuture<Client.Answered>> atOnce(Asking asking) {
        return IntStream.range(0, MANY)
                .mapToObj(
                        number ->
                                CompletableFuture.supplyAsync(
                                        () -> asking.ask(number),
                                        work -> Thread.ofVirtual().start(work)))
                .toList();
    }

    private static ObjectNode input(String text) {
        return JsonNodeFactory.instance.objectNode().put("model", "default").put("input", text);
    }

    @Test
    void oneMessageWaitsForASessionWhileTheGatewayIsAway() {
        server.engineGoes();
        List<CompletableFuture<Client.Answered>> answers =
                atOnce(
                        number ->
                                alice.post(
                                        "/v1/chat/completions",
                                        Client.chat("user", "Message " + number),
                                        "X-Palyra-Session",
                                        "s"));
        Await.until(
                "all but one to be refused",
                TestServer.PATIENCE,
                () -> answers.stream().filter(CompletableFuture::isDone).count() == MANY - 1);
        answers.stream()
                .filter(CompletableFuture::isDone)
                .forEach(answer -> assertEquals("session_busy", answer.join().code()));
        server.model.answer("Back");
        server.engineComes();
        assertEquals(1, answers.stream().filter(answer -> answer.join().status() == 200).count());
        assertEquals(1, server.runs("user:alice").size());
    }

    @Test
    void oneMessageGoesOnFromAResponse() {
        server.model.answer("One");
        String id = alice.post("/v1/responses", input("A")).body().path("id").asText();
        server.model.answer("Two");
        List<CompletableFuture<Client.Answered>> answers =
                atOnce(
                        number ->
                                alice.post(
                                        "/v1/responses",
                                        input("B" + number).put("previous_response_id", id)));
        List<Integer> refused =
                answers.stream()
                        .map(answer -> answer.join().status())
                        .filter(status -> status != 200)
                        .toList();
        assertEquals(MANY - 1, refused.size());
        assertTrue(refused.stream().allMatch(status -> status == 400 || status == 409));
        assertEquals(2, server.runs("user:alice").size());
    }

    @Test
    void aResponseOfAnotherModelIsNotGoneOnFrom() {
        server.agent("writer");
        server.model.answer("One");
        String id = alice.post("/v1/responses", input("A")).body().path("id").asText();
        Client.Answered other =
                alice.post(
                        "/v1/responses",
                        input("B").put("model", "writer").put("previous_response_id", id));
        assertEquals(400, other.status());
        assertTrue(other.message().contains("is an answer of default"), other.message());
        assertEquals(1, server.runs("user:alice").size());
    }
}
