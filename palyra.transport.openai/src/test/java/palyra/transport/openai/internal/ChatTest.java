package palyra.transport.openai.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.testing.wait.Await;

/** Chat completions against the real engine. */
@Timeout(120)
class ChatTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String USER = "user";

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

    private String newestAsked() {
        List<ModelMessage> messages = server.model.requests().getLast().messages();
        return messages.getLast().text();
    }

    @Test
    void answersAsAWhole() {
        server.model.turn(text("Hel"), text("lo"), new ModelEvent.Finished("stop", 7, 2));
        Client.Answered answer = alice.ask(USER, "Hi");
        assertEquals(200, answer.status());
        assertEquals("Hello", answer.content());
        JsonNode body = answer.body();
        assertEquals("chat.completion", body.path("object").asText());
        assertEquals("default", body.path("model").asText());
        assertEquals("stop", body.path("choices").path(0).path("finish_reason").asText());
        assertEquals(7, body.path("usage").path("prompt_tokens").asInt());
        assertEquals(2, body.path("usage").path("completion_tokens").asInt());
        assertEquals(9, body.path("usage").path("total_tokens").asInt());
        assertEquals("chatcmpl-" + answer.header("X-Palyra-Run"), body.path("id").asText());
        assertEquals("nosniff", answer.header("X-Content-Type-Options"));
    }

    @Test
    void streams() {
        server.model.turn(text("Hel"), text("lo"), new ModelEvent.Finished("length", 7, 2));
        ObjectNode body = Client.chat(USER, "Hi");
        body.putObject("stream_options").put("include_usage", true);
        Client.Streamed stream = alice.stream(CHAT, body);
        assertEquals("Hello", stream.content());
        List<JsonNode> data = stream.data();
        JsonNode first = data.getFirst();
        assertEquals("chat.completion.chunk", first.path("object").asText());
        assertEquals(
                "assistant", first.path("choices").path(0).path("delta").path("role").asText());
        JsonNode last = data.get(data.size() - 2);
        assertEquals("length", last.path("choices").path(0).path("finish_reason").asText());
        assertEquals(9, data.getLast().path("usage").path("total_tokens").asInt());
        assertTrue(data.getLast().path("choices").isEmpty());
        assertTrue(stream.isDone());
        assertEquals(
                List.of("text/event-stream;charset=utf-8"),
                stream.response().headers().allValues("Content-Type").stream()
                        .map(type -> type.replace(" ", ""))
                        .toList());
    }

    @Test
    void tellsNoUsageUnlessAsked() {
        server.model.answer("Hello");
        Client.Streamed stream = alice.stream(CHAT, Client.chat(USER, "Hi"));
        assertTrue(stream.data().stream().noneMatch(chunk -> chunk.has("usage")));
    }

    @Test
    void goesOnWithTheSessionOfTheTranscript() {
        server.model.answer("Hello *Alice*");
        server.model.answer("Again");
        server.model.answer("Third");
        assertEquals("Hello *Alice*", alice.ask(USER, "I am Alice").content());
        alice.stream(
                CHAT,
                Client.chat(USER, "I am Alice", "assistant", " Hello  *Alice*\n", USER, "And?"));
        assertEquals("And?", newestAsked());
        alice.ask(
                USER,
                "I am Alice",
                "assistant",
                "<details type=\"reasoning\">thought</details>\nHello *Alice*",
                USER,
                "And?",
                "assistant",
                "Again",
                USER,
                "More");
        assertEquals("More", newestAsked());
        assertEquals(
                1,
                server.runs("user:alice").stream().map(run -> run.sessionId()).distinct().count());
    }

    @Test
    void tellsANewSessionWhatCameBefore() {
        server.model.answer("Hello");
        server.model.answer("Other");
        alice.ask(USER, "One");
        alice.ask(
                "system",
                "Be brief.",
                USER,
                "One",
                "assistant",
                "What the client changed",
                USER,
                "Two");
        String asked = newestAsked();
        assertTrue(asked.contains("Be brief."), asked);
        assertTrue(asked.contains("assistant: What the client changed"), asked);
        assertTrue(asked.endsWith("[Newest message:]\nTwo"), asked);
        assertEquals(
                2,
                server.runs("user:alice").stream().map(run -> run.sessionId()).distinct().count());
    }

    @Test
    void regeneratesInASessionOfItsOwn() {
        server.model.answer("First");
        server.model.answer("Second");
        server.model.answer("Second, otherwise");
        alice.ask(USER, "A");
        alice.ask(USER, "A", "assistant", "First", USER, "B");
        alice.ask(USER, "A", "assistant", "First", USER, "B");
        String asked = newestAsked();
        assertTrue(asked.contains("assistant: First"), asked);
        assertFalse(asked.contains("Second"), asked);
    }

    @Test
    void noTranscriptReachesASessionOfAnotherPrincipal() {
        server.model.answer("For Alice");
        server.model.answer("For Bob");
        alice.ask(USER, "A");
        Client bob = server.client(server.token("user:bob", "integrator"));
        bob.ask(USER, "A", "assistant", "For Alice", USER, "B");
        assertTrue(newestAsked().contains("From the client"), newestAsked());
        assertEquals(1, server.runs("user:bob").size());
        assertFalse(
                server.runs("user:bob")
                        .getFirst()
                        .sessionId()
                        .equals(server.runs("user:alice").getFirst().sessionId()));
    }

    @Test
    void headersThenTheUserNameTheSession() {
        for (int i = 0; i < 5; i++) {
            server.model.answer("Answer " + i);
        }
        ObjectNode body = Client.chat(USER, "Hi").put("user", "u1");
        alice.post(CHAT, body, "X-Palyra-Session", "one");
        alice.post(CHAT, body, "X-OpenWebUI-Chat-Id", "one");
        alice.post(CHAT, body, "X-OpenWebUI-Chat-Id", "two");
        alice.post(CHAT, body);
        alice.post(CHAT, body);
        List<String> sessions =
                server.runs("user:alice").reversed().stream().map(run -> run.sessionId()).toList();
        assertEquals(sessions.get(0), sessions.get(1));
        assertEquals(sessions.get(3), sessions.get(4));
        assertEquals(3, Set.copyOf(sessions).size());
    }

    @Test
    void aRepeatedRequestIsAnsweredByTheFirstRun() {
        server.model.answer("Once");
        Client.Answered first = alice.post(CHAT, Client.chat(USER, "Hi"), "Idempotency-Key", "k1");
        Client.Answered again = alice.post(CHAT, Client.chat(USER, "Hi"), "Idempotency-Key", "k1");
        assertEquals("Once", again.content());
        assertEquals(first.header("X-Palyra-Run"), again.header("X-Palyra-Run"));
        Client.Streamed stream =
                alice.stream(CHAT, Client.chat(USER, "Hi"), "Idempotency-Key", "k1");
        assertEquals("Once", stream.content());
        assertEquals(1, server.model.requests().size());
        Client.Answered other =
                alice.post(CHAT, Client.chat(USER, "Other"), "Idempotency-Key", "k1");
        assertEquals(400, other.status());
        assertEquals("false", other.header("x-should-retry"));
    }

    /** It would be answered for the first session, and lost to its own. */
    @Test
    void aKeyIsNotForAnotherSession() {
        server.model.answer("Once");
        ObjectNode body = Client.chat(USER, "Hi");
        alice.post(CHAT, body, "X-Palyra-Session", "a", "Idempotency-Key", "k");
        assertEquals(400, alice.post(CHAT, body, "Idempotency-Key", "k").status());
        Client.Answered other =
                alice.post(CHAT, body, "X-Palyra-Session", "b", "Idempotency-Key", "k");
        assertEquals(400, other.status());
        assertTrue(other.body().toString().contains("another session"), other.body().toString());
        assertEquals(
                400,
                alice.post(CHAT, body.deepCopy().put("user", "u"), "Idempotency-Key", "k")
                        .status());
        assertEquals(
                "Once",
                alice.post(CHAT, body, "X-Palyra-Session", "a", "Idempotency-Key", "k").content());
    }

    @Test
    void aClientThatSaysItRepeatsWhatWasAnsweredAsksAgain() {
        server.model.answer("Once");
        server.model.answer("Twice");
        server.model.answer("Thrice");
        ObjectNode body = Client.chat(USER, "Hi").put("user", "u");
        alice.post(CHAT, body);
        assertEquals("Twice", alice.post(CHAT, body, "x-stainless-retry-count", "1").content());
        assertEquals("Thrice", alice.post(CHAT, body, "x-stainless-retry-count", "0").content());
        assertEquals(3, server.model.requests().size());
    }

    @Test
    void repeatedAlsoWhereTheFirstOneMadeTheSession() {
        server.model.answer("Once");
        server.model.answer("Next");
        ObjectNode body = Client.chat("system", "Be brief.", USER, "Hi");
        alice.post(CHAT, body, "X-Palyra-Session", "s", "Idempotency-Key", "k");
        assertEquals(
                "Once",
                alice.post(CHAT, body, "X-Palyra-Session", "s", "Idempotency-Key", "k").content());
        assertEquals("Next", alice.post(CHAT, body, "X-Palyra-Session", "s").content());
        assertEquals("Hi", newestAsked());
    }

    @Test
    void aBusySessionIsRefusedUntilItsRunHasEnded() {
        server.model.hold(text("wait"));
        CompletableFuture<Client.Streamed> first =
                CompletableFuture.supplyAsync(
                        () -> alice.stream(CHAT, Client.chat(USER, "Hi"), "X-Palyra-Session", "s"));
        Await.until("the run to run", TestServer.PATIENCE, () -> server.model.runningTurns() == 1);
        Client.Answered busy = alice.post(CHAT, Client.chat(USER, "Now"), "X-Palyra-Session", "s");
        assertEquals(409, busy.status());
        assertEquals("session_busy", busy.code());
        assertEquals("2", busy.header("Retry-After"));
        String run = server.runs("user:alice").getFirst().runId();
        alice.post("/v1/responses/resp_" + run + "/cancel", Client.chat());
        assertEquals("run_cancelled", first.join().error().path("code").asText());
        assertFalse(first.join().isDone());
        server.model.answer("Free");
        assertEquals(
                "Free",
                alice.post(CHAT, Client.chat(USER, "Now"), "X-Palyra-Session", "s").content());
    }

    @Test
    void aSwapOfTheEngineNeitherRepeatsNorSkips() {
        server.model.hold(text("One, "), text("two"));
        server.model.turn(text("One, "), text("two, three"), new ModelEvent.Finished("stop", 1, 1));
        AtomicBoolean swapped = new AtomicBoolean();
        Client.Streamed stream =
                alice.stream(
                        CHAT,
                        Client.chat(USER, "Count"),
                        line -> {
                            if (line.contains("two") && swapped.compareAndSet(false, true)) {
                                CompletableFuture.runAsync(
                                        () -> {
                                            server.engineGoes();
                                            server.engineComes();
                                        });
                            }
                        });
        assertEquals("One, two, three", stream.content());
        assertTrue(stream.isDone());
    }

    @Test
    void aSwapOfTheFrontNeitherRepeatsNorSkips() {
        server.model.hold(text("One, "), text("two"));
        server.model.turn(text("One, "), text("two, three"), new ModelEvent.Finished("stop", 1, 1));
        AtomicBoolean swapped = new AtomicBoolean();
        Client.Streamed stream =
                alice.stream(
                        CHAT,
                        Client.chat(USER, "Count"),
                        line -> {
                            if (line.contains("two") && swapped.compareAndSet(false, true)) {
                                CompletableFuture.runAsync(
                                        () -> {
                                            server.frontGoes();
                                            server.frontComes();
                                            server.engineGoes();
                                            server.engineComes();
                                        });
                            }
                        });
        assertEquals("One, two, three", stream.content());
    }

    @Test
    void anAttemptThatIsDroppedIsMarkedWhereTheNextOneDiffers() {
        server.model.hold(text("One, two"));
        server.model.turn(text("One, three"), new ModelEvent.Finished("stop", 1, 1));
        AtomicBoolean swapped = new AtomicBoolean();
        Client.Streamed stream =
                alice.stream(
                        CHAT,
                        Client.chat(USER, "Count"),
                        line -> {
                            if (line.contains("two") && swapped.compareAndSet(false, true)) {
                                CompletableFuture.runAsync(
                                        () -> {
                                            server.engineGoes();
                                            server.engineComes();
                                        });
                            }
                        });
        assertEquals(
                "One, two\n\n[The answer above was interrupted; here it begins again.]\n\nOne, three",
                stream.content());
        server.model.answer("Yes");
        alice.ask(USER, "Count", "assistant", stream.content(), USER, "Next");
        assertEquals("Next", newestAsked());
    }

    @Test
    void finalTextIsNeverTakenBack() {
        server.settings = TestServer.with(new OpenAiSettings.Stream(false, true, false, 15), 8, 8);
        server.model.hold(text("One, two"));
        server.model.turn(text("One, three"), new ModelEvent.Finished("stop", 1, 1));
        CompletableFuture<Client.Streamed> stream =
                CompletableFuture.supplyAsync(() -> alice.stream(CHAT, Client.chat(USER, "Count")));
        Await.until("the run to run", TestServer.PATIENCE, () -> server.model.runningTurns() == 1);
        server.engineGoes();
        server.engineComes();
        assertEquals("One, three", stream.join().content());
    }

    @Test
    void toolWorkIsReasoning() {
        server.model.propose("palyra.nothing", "{\"a\":1}");
        server.model.answer("Done");
        Client.Streamed stream = alice.stream(CHAT, Client.chat(USER, "Use it"));
        String reasoning = stream.joined("reasoning_content");
        assertTrue(reasoning.contains("palyra.nothing is proposed: {\"a\":1}"), reasoning);
        assertTrue(reasoning.contains("Denied: "), reasoning);
        assertEquals("Done", stream.content());
        server.model.turn(
                text("First I look."),
                new ModelEvent.Proposed(
                        new palyra.api.model.ToolProposal("", "palyra.nothing", "{}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        server.model.answer("Now done");
        Client.Answered whole = alice.ask(USER, "Again");
        assertEquals("Now done", whole.content());
        assertTrue(
                whole.body()
                        .path("choices")
                        .path(0)
                        .path("message")
                        .path("reasoning_content")
                        .asText()
                        .contains("First I look."));
        assertEquals(2, whole.body().path("usage").path("prompt_tokens").asInt());
    }

    @Test
    void keepsSilentStreamsAlive() {
        server.settings = TestServer.with(new OpenAiSettings.Stream(true, true, false, 1), 8, 8);
        server.model.hold();
        Client.Streamed stream =
                alice.stream(
                        CHAT,
                        Client.chat(USER, "Hi"),
                        line -> {
                            if (line.equals(": keep-alive")) {
                                server.calls.closeAll("Closing.");
                            }
                        });
        assertTrue(stream.lines().contains(": keep-alive"));
        assertEquals("stream_ended", stream.error().path("code").asText());
        assertTrue(stream.error().path("message").asText().startsWith("Closing. The run goes on"));
        assertFalse(stream.isDone());
        assertEquals(RunState.RUNNING, server.runs("user:alice").getFirst().state());
    }

    @Test
    void aClientThatLeavesLeavesOrCancelsItsRun() throws Exception {
        for (boolean cancels : List.of(false, true)) {
            server.settings =
                    TestServer.with(new OpenAiSettings.Stream(true, true, cancels, 1), 8, 8);
            server.model.hold(text("Long"));
            try (java.net.Socket socket = new java.net.Socket("127.0.0.1", server.port())) {
                byte[] body =
                        Client.chat(USER, "Hi").put("stream", true).toString().getBytes("UTF-8");
                socket.getOutputStream()
                        .write(
                                ("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
                                                + "Authorization: Bearer "
                                                + server.token("user:carol", "integrator")
                                                + "\r\nContent-Length: "
                                                + body.length
                                                + "\r\n\r\n")
                                        .getBytes("UTF-8"));
                socket.getOutputStream().write(body);
                socket.getInputStream().read(new byte[20]);
                Await.until(
                        "the run to run",
                        TestServer.PATIENCE,
                        () -> server.model.runningTurns() == (cancels ? 2 : 1));
            }
            Await.until("the stream to end", TestServer.PATIENCE, () -> server.calls.size() == 0);
            if (cancels) {
                Await.until(
                        "the run to be cancelled",
                        TestServer.PATIENCE,
                        () -> server.runs("user:carol").getFirst().state() == RunState.CANCELLED);
            } else {
                assertEquals(RunState.RUNNING, server.runs("user:carol").getFirst().state());
            }
        }
    }

    @Test
    void aRunThatFailsIsAnErrorThatIsNotTriedAgain() {
        server.model.fail(ErrorCode.INTERNAL, "It broke.", false);
        Client.Answered answer = alice.ask(USER, "Hi");
        assertEquals(500, answer.status());
        assertTrue(answer.message().startsWith("The run failed: "), answer.message());
        assertEquals("false", answer.header("x-should-retry"));
        server.model.fail(ErrorCode.INTERNAL, "It broke.", false);
        Client.Streamed stream = alice.stream(CHAT, Client.chat(USER, "Hi"));
        assertTrue(stream.error().path("message").asText().startsWith("The run failed: "));
        assertFalse(stream.isDone());
    }

    @Test
    void acceptsWhileTheEngineIsAwayAndAnswersWhenItIsBack() throws Exception {
        server.engineGoes();
        CompletableFuture<Client.Answered> answer =
                CompletableFuture.supplyAsync(() -> alice.ask(USER, "Hi"));
        Await.until(
                "the message to wait",
                TestServer.PATIENCE,
                () ->
                        !server.journal
                                .inboxIn(palyra.api.core.journal.InboxRow.State.QUEUED, "", 10)
                                .isEmpty());
        server.model.answer("Back");
        server.engineComes();
        assertEquals("Back", answer.get(60, TimeUnit.SECONDS).content());
    }
}
