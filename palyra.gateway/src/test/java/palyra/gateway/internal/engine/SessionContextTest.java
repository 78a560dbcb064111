package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.SettledKind;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.turn.SessionContext;
import palyra.shared.tape.TapeCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.wait.Await;

/** What a run remembers of its session is what the journal says, read or not. */
class SessionContextTest extends OneGateway {
    private static final int RUNS = 20;

    private final AtomicInteger exchangesRead = new AtomicInteger();
    private final AtomicInteger listsRead = new AtomicInteger();
    private final AtomicReference<Runnable> beforeRun = new AtomicReference<>();

    @Override
    Object watch(WatchedJournal.Call call) throws Throwable {
        if (call.of("outboxOf")) {
            exchangesRead.incrementAndGet();
        } else if (call.of("runs")) {
            listsRead.incrementAndGet();
        }
        call.unit().ifPresent(this::meddle);
        return call.proceed();
    }

    /** Does once what was asked for, just before a run is recorded. */
    private void meddle(Unit unit) {
        if (unit.operations().stream().anyMatch(Operation.InsertRun.class::isInstance)) {
            Runnable meddler = beforeRun.getAndSet(null);
            if (meddler != null) {
                CompletableFuture.runAsync(meddler).join(); // it needs the journal itself
            }
        }
    }

    private String ended(Submission run, RunState as) {
        assertEquals(as, gateway.ended(run.runId()).state());
        Await.until("its worker to end", () -> gateway.host.activeRuns() == 0);
        return run.sessionId();
    }

    private String say(String message, String answer) {
        model.answer(answer);
        return ended(gateway.submit(message), RunState.SUCCEEDED);
    }

    /** Returns what the model was shown of earlier runs in its last turn. */
    private List<ModelMessage> shown() {
        ModelRequest last = model.requests().getLast();
        List<ModelMessage> all =
                last.messages().stream()
                        .filter(message -> !(message instanceof ModelMessage.System))
                        .toList();
        return all.subList(0, all.size() - 1);
    }

    /** Returns what an engine that knows nothing reads. */
    private List<ModelMessage> cold(String sessionId, String beforeRun) {
        return new SessionContext(gateway.services.journal(), gateway.services.secrets().redactor())
                .before(sessionId, beforeRun, RUNS);
    }

    private boolean hasSaid(String runId) {
        return gateway.services.journal().call(j -> j.tape(runId, 0, 100)).stream()
                .anyMatch(record -> record.type().equals("model_token"));
    }

    private void assertShownIsCold() {
        model.answer("the end");
        Submission last = gateway.submit("and now?");
        String sessionId = ended(last, RunState.SUCCEEDED);
        assertEquals(cold(sessionId, last.runId()), shown());
    }

    @Test
    void whatWasJustSaidIsRememberedWithoutReading() {
        say("one", "first");
        int before = exchangesRead.get();
        String sessionId = say("two", "second");
        say("three", "third");
        assertEquals(before, exchangesRead.get());
        assertEquals(0, listsRead.get());
        assertEquals(
                List.of(
                        new ModelMessage.User("one"),
                        new ModelMessage.Assistant("first", List.of()),
                        new ModelMessage.User("two"),
                        new ModelMessage.Assistant("second", List.of())),
                shown());
        assertEquals(6, cold(sessionId, "").size());
        assertShownIsCold();
    }

    @Test
    void oddTextsAreTheSameReadOrNot() {
        say("  \u0000\u2028 \"quoted\" \\ 😀\t\r\n ", " 0 \ud83d\ude00 \u00e9 e\u0301 \uffff ");
        say("{\"text\":\"json\"}", "null");
        assertShownIsCold();
    }

    @Test
    void longTextsAreReadAgainRatherThanKept() {
        say("long", "x".repeat(30_000));
        int before = exchangesRead.get();
        assertShownIsCold();
        assertTrue(exchangesRead.get() > before);
    }

    @Test
    void runsWithToolsAndSeveralTurnsAreRememberedByTheirEnds() {
        model.turn(
                new ModelEvent.TextDelta("let me see"),
                new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{\"n\":1}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        say("use it", "used");
        assertShownIsCold();
        assertEquals(new ModelMessage.Assistant("used", List.of()), shown().get(1));
        String message = shown().get(0).text();
        assertTrue(message.startsWith("use it\n\n[Record of the gateway: "), message);
        assertTrue(message.contains("\n- test_effect {\"n\":1} -> succeeded: "), message);
        assertEquals(2, shown().size());
    }

    @Test
    void whatRetentionDroppedIsReadFromTheTape() {
        say("one", "first");
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{\"n\":1}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        String sessionId = say("two", "second");
        List<ModelMessage> whole = cold(sessionId, "");
        long later = System.currentTimeMillis() + 1_000;
        for (SettledKind kind : List.of(SettledKind.MESSAGE, SettledKind.ANSWER)) {
            List<String> settled = around.journal().settled(kind, later, "", 10);
            assertEquals(2, settled.size());
            for (String id : settled) {
                around.journal().commit(Unit.of(new Operation.DropSettled(kind, id, later)));
                assertEquals(whole, cold(sessionId, ""));
            }
        }
        assertEquals(4, whole.size());
    }

    @Test
    void aRunWhosePayloadsAreErasedIsLeftOut() {
        String sessionId = say("one", "first");
        say("two", "second");
        String runId = around.journal().runs("", sessionId, "", 10).getLast().runId();
        long later = System.currentTimeMillis() + 1_000;
        for (SettledKind kind : List.of(SettledKind.MESSAGE, SettledKind.ANSWER)) {
            String first = around.journal().settled(kind, later, "", 1).getFirst();
            around.journal().commit(Unit.of(new Operation.DropSettled(kind, first, later)));
        }
        long head = around.journal().headSeq(runId);
        for (long seq = 1; seq <= head; seq++) {
            around.journal().commit(Unit.of(new Operation.ErasePayload(runId, seq)));
        }
        assertEquals(
                List.of(
                        new ModelMessage.User("two"),
                        new ModelMessage.Assistant("second", List.of())),
                cold(sessionId, ""));
    }

    @Test
    void anExternalEventIsNoPartOfWhatIsRemembered() {
        tool.holding();
        model.propose("test.effect", "{}").answer("noted");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        around.journal()
                .commit(
                        Unit.of(
                                TapeCodec.append(
                                        run.runId(),
                                        new TapeEvent.ExternalEvent(
                                                "event-1", "note", "user:alice", "{\"a\":1}"))));
        tool.release();
        ended(run, RunState.SUCCEEDED);
        assertShownIsCold();
        assertEquals(2, shown().size());
    }

    @Test
    void failedAndCancelledRunsAreRememberedWithWhatTheyDid() {
        say("one", "first");
        tool.holding();
        model.propose("test.effect", "{\"n\":7}");
        Submission working = gateway.submit("is cancelled in a call");
        tool.awaitCalls(1);
        gateway.cancel(working.runId());
        tool.release();
        ended(working, RunState.CANCELLED);
        model.fail(ErrorCode.MODEL_FAILED, "no", false);
        ended(gateway.submit("fails"), RunState.FAILED);
        model.hold(new ModelEvent.TextDelta("half an ans"));
        Submission run = gateway.submit("is cancelled");
        Await.until("its first words", () -> hasSaid(run.runId()));
        gateway.cancel(run.runId());
        ended(run, RunState.CANCELLED);
        assertShownIsCold();
        assertEquals(8, shown().size());
        String called = shown().get(2).text();
        assertTrue(called.startsWith("is cancelled in a call\n\n[Record"), called);
        assertTrue(called.contains("- test_effect {\"n\":7} -> "), called);
        String cancelled = shown().get(3).text();
        assertTrue(
                cancelled.startsWith("[This run ended CANCELLED without an answer: "), cancelled);
        assertEquals(new ModelMessage.User("fails"), shown().get(4));
        String failed = shown().get(5).text();
        assertTrue(failed.startsWith("[This run ended FAILED without an answer: "), failed);
        assertEquals(new ModelMessage.User("is cancelled"), shown().get(6));
        String half = shown().get(7).text();
        assertTrue(
                half.startsWith(
                        "half an ans\n\n[This run ended CANCELLED before the answer was complete: "),
                half);
    }

    /** What it said in turns before the one that failed is told to the next run, too. */
    @Test
    void whatAnAgentSaidBeforeItsRunFailedIsRemembered() {
        model.turn(
                new ModelEvent.TextDelta("let me see"),
                new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{\"n\":1}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.fail(ErrorCode.MODEL_FAILED, "no", false);
        ended(gateway.submit("use it"), RunState.FAILED);
        assertShownIsCold();
        assertTrue(
                shown().get(1).text().startsWith("let me see\n\n[This run ended FAILED before"),
                shown().get(1).text());
    }

    @Test
    void onlySoManyRunsAreShownReadOrNot() {
        for (int i = 0; i < RUNS + 3; i++) {
            if (i % 5 == 2) {
                model.fail(ErrorCode.MODEL_FAILED, "no", false);
                ended(gateway.submit("fails " + i), RunState.FAILED);
            } else {
                say("message " + i, "answer " + i);
            }
        }
        assertEquals(0, listsRead.get());
        assertShownIsCold();
        assertEquals(2 * RUNS, shown().size());
    }

    @Test
    void aRunThatHadToWaitIsShownToTheNext() {
        say("one", "first");
        model.hold(new ModelEvent.TextDelta("half an ans")).answer("second");
        Submission running = gateway.submit("is cancelled");
        Await.until("the turn", () -> model.runningTurns() == 1);
        Submission waiting = gateway.submit("waited");
        gateway.cancel(running.runId());
        ended(running, RunState.CANCELLED);
        ended(waiting, RunState.SUCCEEDED);
        assertShownIsCold();
        assertEquals(new ModelMessage.User("is cancelled"), shown().get(2));
        assertEquals(new ModelMessage.User("waited"), shown().get(4));
    }

    /**
     * What is recorded first is answered first, although the other was planned to begin at once.
     */
    @Test
    void aRunThatWasQueuedWhileAnotherWasPlannedGoesFirst() {
        say("one", "first");
        Submission[] queued = new Submission[1];
        beforeRun.set(() -> queued[0] = gateway.submit("queued in between"));
        model.hold(new ModelEvent.TextDelta("half an ans")).answer("of the planned one");
        Submission planned = gateway.submit("planned");
        Await.until("the turn", () -> model.runningTurns() == 1);
        assertEquals(
                List.of(RunState.RUNNING, RunState.ACCEPTED),
                List.of(stateOf(queued[0]), stateOf(planned)));
        gateway.cancel(queued[0].runId());
        ended(queued[0], RunState.CANCELLED);
        ended(planned, RunState.SUCCEEDED);
        assertShownIsCold();
        assertEquals(6, shown().size());
        assertTrue(shown().contains(new ModelMessage.User("queued in between")));
    }

    private RunState stateOf(Submission run) {
        return around.journal().run(run.runId()).orElseThrow().state();
    }

    /** A run that another engine began is ended here: its opening comes from the tape. */
    @Test
    void aRunThatWasTakenOverIsRememberedToo() {
        tool.holding();
        model.propose("test.effect", "{}").answer("still here");
        Submission run = gateway.submit("over to you");
        tool.awaitCalls(1);
        gateway.close();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real -> WatchedJournal.of(real, this::watch),
                                FakeAccess.forTools())
                        .awaitReady();
        tool.release();
        ended(run, RunState.SUCCEEDED);
        int before = exchangesRead.get();
        assertShownIsCold();
        assertEquals(1, exchangesRead.get() - before, "the cold read alone");
        assertTrue(shown().get(0).text().startsWith("over to you\n\n[Record"));
    }

    @Test
    void itsMemoryIsBounded() {
        SessionContext context =
                new SessionContext(
                        gateway.services.journal(), gateway.services.secrets().redactor());
        for (int i = 0; i < 10_000; i++) {
            context.ended("session", "run-" + i, RunState.SUCCEEDED, said(500), "a");
        }
        assertEquals(10_000, context.remembered());
        for (int i = 0; i < 10_000; i++) {
            context.ended("session", "more-" + i, RunState.SUCCEEDED, said(1_000), "a");
        }
        assertEquals((8 << 20) / 1_001, context.remembered());
        context.ended("session", "long", RunState.SUCCEEDED, said(15_000), "a".repeat(15_000));
        assertEquals((8 << 20) / 1_001, context.remembered());
    }

    private static List<ModelMessage> said(int chars) {
        return List.of(new ModelMessage.User("m".repeat(chars)));
    }

    /** What is shown of earlier runs is bounded in characters: the newest come first. */
    @Test
    void longAnswersOfEarlierRunsAreLeftOutFromTheOldestOn() {
        String answer = "x".repeat(700_000);
        String session = "";
        for (int i = 0; i < 5; i++) {
            session = say("message " + i, i + answer);
        }
        List<ModelMessage> shown = cold(session, "");
        assertEquals(
                List.of("message 3", "3" + answer, "message 4", "4" + answer),
                shown.stream().map(ModelMessage::text).toList());
    }
}
