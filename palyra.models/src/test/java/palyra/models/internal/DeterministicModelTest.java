package palyra.models.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Metric;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.testing.model.RecordingSink;
import palyra.testing.wait.Await;

class DeterministicModelTest {
    private final DeterministicModel model =
            new DeterministicModel(new DeterministicSettings(100, 0));

    @AfterEach
    void withdraw() {
        model.withdraw();
    }

    private RecordingSink ask(ModelRequest request) {
        RecordingSink sink = new RecordingSink();
        model.start(request, sink);
        return sink;
    }

    private double metric(String name, String result) {
        return model.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .filter(metric -> result.equals(metric.labels().getOrDefault("result", "")))
                .mapToDouble(Metric::value)
                .sum();
    }

    @Test
    void repeatsWhatItWasToldWordByWord() {
        RecordingSink sink = ask(Requests.plain("run-1/1/1", "two  words\n"));
        ModelEvent.Finished finished = sink.awaitFinished();
        assertEquals("You said: two  words\n", sink.text());
        assertEquals(
                List.of("You ", "said: ", "two  ", "words\n"),
                sink.events().stream()
                        .filter(ModelEvent.TextDelta.class::isInstance)
                        .map(event -> ((ModelEvent.TextDelta) event).text())
                        .toList());
        assertEquals(new ModelEvent.Finished("stop", 2, 4), finished);
    }

    @Test
    void answersTheLastMessageOfAPersonAndCountsAllOfThem() {
        List<ModelMessage> messages =
                List.of(
                        new ModelMessage.System("be kind now"),
                        new ModelMessage.User("first"),
                        new ModelMessage.Assistant("You said: first", List.of()),
                        new ModelMessage.User("second"),
                        new ModelMessage.User("[note] {\"from\":\"outside\"}"));
        RecordingSink sink = ask(Requests.request("run-1/1/1", false, messages, 60_000));
        assertEquals(3 + 1 + 3 + 1 + 2, sink.awaitFinished().inputTokens());
        assertEquals("You said: second", sink.text());
    }

    @Test
    void acknowledgesAnEmptyMessage() {
        RecordingSink blank = ask(Requests.plain("run-1/1/1", " \n"));
        blank.awaitFinished();
        assertEquals("ack", blank.text());
        List<ModelMessage> noUser = List.of(new ModelMessage.System("instructions"));
        RecordingSink none = ask(Requests.request("run-2/1/1", false, noUser, 60_000));
        none.awaitFinished();
        assertEquals("ack", none.text());
    }

    @Test
    void sameRequestGetsTheSameEvents() {
        RecordingSink first = ask(Requests.plain("run-1/1/1", "one two three"));
        first.awaitFinished();
        RecordingSink second = ask(Requests.plain("run-2/1/1", "one two three"));
        second.awaitFinished();
        assertEquals(first.events(), second.events());
    }

    @Test
    void takesAScriptForPlainTextUnlessTheAgentIsForTests() {
        String text = Script.MARK + "\n{\"turns\":[[{\"say\":\"obeyed\"}]]}";
        List<ModelMessage> messages = List.of(new ModelMessage.User(text));
        RecordingSink plain = ask(Requests.request("run-1/1/1", false, messages, 60_000));
        plain.awaitFinished();
        assertEquals("You said: " + text, plain.text());
        RecordingSink test = ask(Requests.request("run-2/1/1", true, messages, 60_000));
        test.awaitFinished();
        assertEquals("obeyed", test.text());
    }

    @Test
    void playsThoughtsWordsAndProposalsInOrder() {
        RecordingSink sink =
                ask(
                        Requests.script(
                                "run-1/1/1",
                                """
                                {"turns":[[{"think":"let me see"},{"say":"I will "},
                                {"call":{"tool":"palyra.echo","input":{"text":"hi","a":[1,true]}}},
                                {"call":{"tool":"unknown.tool","rawInput":"{\\"broken\\": "}},
                                {"say":"ask"}]]}"""));
        ModelEvent.Finished finished = sink.awaitFinished();
        assertEquals("let me see", sink.thoughts());
        assertEquals("I will ask", sink.text());
        assertEquals("tool_calls", finished.finishReason());
        assertEquals(6, finished.outputTokens());
        assertEquals("palyra.echo", sink.proposals().get(0).toolName());
        assertEquals("{\"a\":[1,true],\"text\":\"hi\"}", sink.proposals().get(0).inputJson());
        assertEquals("{\"broken\": ", sink.proposals().get(1).inputJson());
        assertEquals("", sink.proposals().get(0).callId());
    }

    @Test
    void playsTheTurnThatTheConversationHasReached() {
        String json =
                "{\"turns\":[[{\"call\":{\"tool\":\"palyra.echo\",\"input\":{}}}],"
                        + "[{\"say\":\"tool said \"},{\"lastToolOutput\":true}]]}";
        ModelMessage spoke = new ModelMessage.Assistant("", List.of());
        ModelMessage output = new ModelMessage.ToolOutput("c", "palyra.echo", true, "{\"x\":1}");
        ModelMessage event = new ModelMessage.User("[note] [1,2]");
        RecordingSink second = ask(Requests.script("run-1/2/1", json, spoke, output, event));
        second.awaitFinished();
        assertEquals("tool said {\"x\":1}", second.text());
        RecordingSink past = ask(Requests.script("run-1/3/1", json, spoke, output, spoke));
        past.awaitFinished();
        assertEquals("done", past.text());
    }

    @Test
    void aNewMessageEndsAnEarlierScript() {
        String json = "{\"turns\":[[{\"say\":\"scripted\"}]]}";
        RecordingSink sink =
                ask(
                        Requests.script(
                                "run-2/1/1",
                                json,
                                new ModelMessage.Assistant("scripted", List.of()),
                                new ModelMessage.User("[brackets] are no event")));
        sink.awaitFinished();
        assertEquals("You said: [brackets] are no event", sink.text());
    }

    @Test
    void failsAsOftenAsAskedThenGoesOn() {
        String json =
                "{\"turns\":[[{\"say\":\"half\"},{\"fail\":{\"code\":\"MODEL_UNAVAILABLE\","
                        + "\"message\":\"Down.\",\"retryable\":true,\"times\":2}},"
                        + "{\"say\":\" whole\"}]]}";
        for (int attempt = 1; attempt <= 2; attempt++) {
            RecordingSink sink = ask(Requests.script("run-1/1/" + attempt, json));
            assertEquals(
                    new ModelEvent.Failed(ErrorCode.MODEL_UNAVAILABLE, "Down.", true),
                    sink.awaitFailed());
            assertEquals("half", sink.text());
        }
        RecordingSink third = ask(Requests.script("run-1/1/3", json));
        third.awaitFinished();
        assertEquals("half whole", third.text());
    }

    @Test
    void failsAlwaysWithoutACount() {
        RecordingSink sink = ask(Requests.script("run-1/1/77", "{\"turns\":[[{\"fail\":{}}]]}"));
        ModelEvent.Failed failed = sink.awaitFailed();
        assertEquals(ErrorCode.MODEL_FAILED, failed.code());
        assertFalse(failed.retryable());
    }

    @Test
    void delaysAsLongAsAsked() {
        long before = System.nanoTime();
        RecordingSink sink =
                ask(
                        Requests.script(
                                "run-1/1/1",
                                "{\"turns\":[[{\"delayMillis\":120},{\"say\":\"a b c\",\"chunkMillis\":40}]]}"));
        sink.awaitFinished();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
        assertTrue(millis >= 240, "took only " + millis + " ms");
        assertEquals("a b c", sink.text());
    }

    @Test
    void repeatsAPieceManyTimes() {
        RecordingSink sink =
                ask(
                        Requests.script(
                                "run-1/1/1",
                                "{\"turns\":[[{\"repeat\":{\"count\":1000,\"say\":\"x y \"}}]]}"));
        assertEquals(2_000, sink.awaitFinished().outputTokens());
        assertEquals(1_001, sink.events().size());
        assertEquals("x y ".repeat(1_000), sink.text());
    }

    @Test
    void namesTheStepOfAScriptThatCannotBePlayed() {
        RecordingSink sink =
                ask(
                        Requests.script(
                                "run-1/1/1",
                                "{\"turns\":[[{\"say\":\"fine\"}],[{\"say\":\"x\"},{\"shout\":\"y\"}]]}"));
        ModelEvent.Failed failed = sink.awaitFailed();
        assertEquals(ErrorCode.INVALID_ARGUMENT, failed.code());
        assertFalse(failed.retryable());
        assertTrue(failed.message().contains("step 2 of turn 2"), failed.message());
        assertEquals("", sink.text());
    }

    @Test
    void saysThatThereIsNoToolOutputYet() {
        RecordingSink sink =
                ask(Requests.script("run-1/1/1", "{\"turns\":[[{\"lastToolOutput\":true}]]}"));
        assertEquals(ErrorCode.INVALID_ARGUMENT, sink.awaitFailed().code());
    }

    @Test
    void endsATurnSoonAfterItsDeadlineEvenWhenNobodyCancels() {
        List<ModelMessage> stall =
                List.of(new ModelMessage.User(Script.MARK + "\n{\"turns\":[[{\"stall\":true}]]}"));
        RecordingSink sink = ask(Requests.request("run-1/1/1", true, stall, -60_000));
        ModelEvent.Failed failed = sink.awaitFailed();
        assertEquals(ErrorCode.TIMED_OUT, failed.code());
        assertTrue(failed.retryable());
    }

    @Test
    void refusesMoreTurnsThanItsLimitAndTakesOneAgainWhenOneEnds() {
        model.use(new DeterministicSettings(2, 0));
        String stall = "{\"turns\":[[{\"stall\":true}]]}";
        RecordingSink first = ask(Requests.script("run-1/1/1", stall));
        ask(Requests.script("run-2/1/1", stall));
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> ask(Requests.plain("run-3/1/1", "hello")));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code());
        model.cancel("run-1/1/1");
        first.awaitFailed();
        Await.until("a turn to leave", () -> metric("palyra_model_turns_running", "") < 2);
        ask(Requests.plain("run-3/1/2", "hello")).awaitFinished();
    }

    @Test
    void refusesTwoTurnsOfOneId() {
        ask(Requests.script("run-1/1/1", "{\"turns\":[[{\"stall\":true}]]}"));
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> ask(Requests.plain("run-1/1/1", "hello")));
        assertEquals(ErrorCode.ALREADY_EXISTS, refused.code());
    }

    @Test
    void waitsAtItsWithdrawalForASinkThatIsSlow() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<ModelEvent> told = new CopyOnWriteArrayList<>();
        model.start(
                Requests.plain("run-1/1/1", "hello"),
                event -> {
                    inside.countDown();
                    told.add(event);
                    return await(go);
                });
        assertTrue(inside.await(10, TimeUnit.SECONDS));
        Thread withdrawal = Thread.ofPlatform().start(model::withdraw);
        Await.until(
                "the withdrawal to wait",
                () -> withdrawal.getState() == Thread.State.TIMED_WAITING);
        go.countDown();
        withdrawal.join(10_000);
        assertFalse(withdrawal.isAlive());
        assertEquals(
                List.of(new ModelEvent.TextDelta("You "), Turn.withdrawn()), List.copyOf(told));
    }

    @Test
    void doesNotWaitForEverForASinkThatHangs() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        model.start(
                Requests.plain("run-1/1/1", "hello"),
                event -> {
                    inside.countDown();
                    interrupted.set(!await(never));
                    return false;
                });
        assertTrue(inside.await(10, TimeUnit.SECONDS));
        model.withdraw();
        Await.until("the sink to be interrupted", interrupted::get);
    }

    /** Returns false when interrupted. */
    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false; // the turn's thread ends with it
        }
    }

    @Test
    void givesATurnUpWhoseSinkThrows() {
        model.start(
                Requests.plain("run-1/1/1", "hello"),
                event -> {
                    throw new IllegalStateException("the reader is gone");
                });
        Await.until(
                "the turn to be given up",
                () -> metric("palyra_model_turns_total", "abandoned") == 1);
        Await.until("the turn to leave", () -> metric("palyra_model_turns_running", "") == 0);
    }

    @Test
    void countsHowTurnsEnd() {
        ask(Requests.plain("run-1/1/1", "hello")).awaitFinished();
        ask(Requests.script("run-1/1/2", "{\"turns\":[[{\"fail\":{}}]]}")).awaitFailed();
        Await.until(
                "both turns to be counted",
                () ->
                        metric("palyra_model_turns_total", "finished") == 1
                                && metric("palyra_model_turns_total", "failed") == 1);
    }

    @Test
    void refusesSettingsOutOfRange() {
        assertThrows(PalyraException.class, () -> new DeterministicSettings(0, 0));
        assertThrows(PalyraException.class, () -> new DeterministicSettings(1, -1));
    }

    @Test
    void manyTurnsAtATimeEachGetTheirOwnAnswer() {
        List<RecordingSink> sinks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sinks.add(ask(Requests.plain("run-" + i + "/1/1", "message " + i)));
        }
        for (int i = 0; i < 100; i++) {
            sinks.get(i).awaitFinished();
            assertEquals("You said: message " + i, sinks.get(i).text());
        }
    }
}
