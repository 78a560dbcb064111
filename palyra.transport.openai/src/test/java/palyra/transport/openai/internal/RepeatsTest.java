package palyra.transport.openai.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.model.ModelEvent;
import palyra.testing.wait.Await;
import palyra.transport.openai.internal.http.RefusedException;
import palyra.transport.openai.internal.session.Deliveries;
import palyra.transport.openai.internal.session.Repeats;

/** Requests without a key that come again, or at the same moment. */
@Timeout(120)
class RepeatsTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String USER = "user";
    private static final String RETRY = "x-stainless-retry-count";
    private static final Principal ALICE =
            new Principal("user:alice", PrincipalKind.USER, Set.of("integrator"), Set.of(), "test");

    private final ObjectNode body = Client.chat(USER, "Hi").put("user", "u");
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

    private static ModelEvent text(String text) {
        return new ModelEvent.TextDelta(text);
    }

    private CompletableFuture<Client.Answered> runs(ObjectNode asked, int turns) {
        CompletableFuture<Client.Answered> answer =
                CompletableFuture.supplyAsync(() -> alice.post(CHAT, asked));
        Await.until(
                "the run to run",
                TestServer.PATIENCE,
                () -> server.model.runningTurns() == turns || answer.isDone());
        return answer;
    }

    private void cancelNewest() {
        String run = server.runs("user:alice").getFirst().runId();
        alice.post("/v1/responses/resp_" + run + "/cancel", Client.chat());
        Await.until(
                "the run to end",
                TestServer.PATIENCE,
                () -> server.runs("user:alice").getFirst().state().terminal());
    }

    /** The request of a run is ended while the run goes on. */
    private void runWithoutAnAnswer() {
        OpenAiSettings usual = server.settings;
        server.settings =
                new OpenAiSettings(
                        true,
                        usual.hosts(),
                        usual.conversation(),
                        usual.stream(),
                        new OpenAiSettings.Bounds(4_096, 10, 8, 8, 30, 1));
        CompletableFuture<Client.Answered> first = runs(body, 1);
        Await.until(
                "it to be ended",
                TestServer.PATIENCE,
                () -> {
                    server.calls.sweep();
                    return first.isDone();
                });
        assertEquals("stream_ended", first.join().code());
        server.settings = usual;
    }

    @Test
    void aRepeatIsAnsweredByTheRunWhoseAnswerNeverArrived() {
        server.model.hold(text("On"));
        server.model.answer("Once");
        runWithoutAnAnswer();
        CompletableFuture<Client.Answered> again =
                CompletableFuture.supplyAsync(() -> alice.post(CHAT, body, RETRY, "1"));
        Await.until("the repeat to be there", TestServer.PATIENCE, () -> server.calls.size() == 1);
        server.engineGoes();
        server.engineComes();
        assertEquals("Once", again.join().content());
        assertEquals(1, server.runs("user:alice").size());
    }

    @Test
    void aMessageWhoseFirstAttemptWasRefusedIsNotAnsweredWithWhatWasSentBefore() {
        server.model.answer("Once");
        assertEquals("Once", alice.post(CHAT, body).content());
        server.model.hold(text("wait"));
        CompletableFuture<Client.Answered> other =
                runs(Client.chat(USER, "Other").put("user", "u"), 1);
        assertEquals("session_busy", alice.post(CHAT, body).code());
        cancelNewest();
        other.join();
        server.model.answer("Twice");
        assertEquals("Twice", alice.post(CHAT, body, RETRY, "1").content());
        assertEquals(3, server.runs("user:alice").size());
    }

    @Test
    void aMessageThatNeverCameIsNotAnsweredWithWhatWasSentBefore() {
        server.model.answer("Once");
        alice.stream(CHAT, body.deepCopy());
        ObjectNode streamed = body.deepCopy().put("stream", true);
        server.model.answer("Twice");
        assertEquals("Twice", alice.stream(CHAT, streamed, RETRY, "1").content());
    }

    @Test
    void aMessageThatWasRefusedIsNotTheUnansweredOneBeforeIt() {
        server.model.hold(text("On"));
        runWithoutAnAnswer();
        assertEquals("session_busy", alice.post(CHAT, body).code());
        cancelNewest();
        server.model.answer("Twice");
        assertEquals("Twice", alice.post(CHAT, body, RETRY, "1").content());
        assertEquals(2, server.runs("user:alice").size());
    }

    @Test
    void aRunThatEndedBeforeAnythingIsRememberedIsNeitherToldNorRepeated() {
        server.model.answer("Once");
        alice.post(CHAT, body);
        byte[] content = ("Chat\0\0" + body).getBytes(StandardCharsets.UTF_8);
        Repeats restarted = repeats(new Deliveries(System::currentTimeMillis));
        RefusedException refused =
                assertThrows(RefusedException.class, () -> restarted.of(ALICE, "", content, true));
        assertEquals("repeat_unknown", refused.code());
        String run = server.runs("user:alice").getFirst().runId();
        assertTrue(refused.getMessage().contains("GET /v1/responses/resp_" + run));
        assertTrue(restarted.of(ALICE, "", content, false).before().isEmpty());
        Repeats remembers = repeats(new Deliveries(() -> 0));
        assertTrue(remembers.of(ALICE, "", content, true).before().isPresent());
    }

    private Repeats repeats(Deliveries deliveries) {
        return new Repeats(server.seams.journal(), deliveries, System::currentTimeMillis);
    }

    @Test
    void equalRequestsAtTheSameMomentAreMessagesOfTheirOwn() {
        server.model.otherwise(
                request -> List.of(text("Yes"), new ModelEvent.Finished("stop", 1, 1)));
        List<CompletableFuture<Client.Answered>> answers =
                Stream.generate(
                                () ->
                                        CompletableFuture.supplyAsync(
                                                () -> alice.ask(USER, "Hi"),
                                                work -> Thread.ofVirtual().start(work)))
                        .limit(8)
                        .toList();
        answers.forEach(answer -> assertEquals(200, answer.join().status()));
        assertEquals(8, server.runs("user:alice").size());
    }
}
