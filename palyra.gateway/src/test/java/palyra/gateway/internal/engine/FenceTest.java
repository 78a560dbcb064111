package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.api.model.ModelSink;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.intake.Router;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/**
 * Two engines in one process on one journal. The first cannot renew its lease, so the second takes
 * over while the first still lives and does not know: whatever it does then has no effect.
 */
class FenceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path state;

    private final HeldModel held = new HeldModel();
    private final ScriptedModelProvider scripted = new ScriptedModelProvider();
    private final RecordingTool tool = RecordingTool.withEffect("test.effect");
    private volatile boolean stalled;
    private LightGateway.Surroundings around;
    private LightGateway first;

    /** A model whose turns end when the test says so. */
    private static final class HeldModel implements ModelProvider {
        private volatile ModelSink sink;

        @Override
        public void start(ModelRequest request, ModelSink to) {
            sink = to;
        }

        @Override
        public void cancel(String requestId) {
            // it does not hear
        }

        void say(ModelEvent... events) {
            Await.until("the model to be asked", PATIENCE, () -> sink != null);
            List.of(events).forEach(sink::accept);
        }
    }

    /** An executor without room for as long as the test wants. */
    private static final class FullExecutor implements ToolExecutor {
        private final ToolExecutor real;
        private final AtomicInteger refused = new AtomicInteger();
        private volatile boolean full = true;

        FullExecutor(ToolExecutor real) {
            this.real = real;
        }

        @Override
        public List<ToolDescriptor> catalogue() {
            return real.catalogue();
        }

        @Override
        public void start(ToolOrder order, Consumer<ToolOutcome> sink) {
            if (full) {
                refused.incrementAndGet();
                throw new PalyraException(ErrorCode.RESOURCE_EXHAUSTED, "no room yet");
            }
            real.start(order, sink);
        }

        @Override
        public ToolLookup attach(String callId, int attempt, Consumer<ToolOutcome> sink) {
            return real.attach(callId, attempt, sink);
        }

        @Override
        public void cancel(String callId) {
            real.cancel(callId);
        }

        @Override
        public void forget(String callId) {
            real.forget(callId);
        }
    }

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool);
        EngineSettings patient =
                new EngineSettings(
                        8,
                        1_000,
                        4,
                        8,
                        3,
                        120_000,
                        120_000,
                        300_000,
                        20,
                        1_000,
                        20,
                        64,
                        "scripted");
        first =
                new LightGateway(
                                around,
                                held,
                                "boot/1",
                                this::stallable,
                                FakeAccess.forTools(),
                                patient)
                        .awaitReady()
                        .offering("test.effect");
    }

    @AfterEach
    void close() {
        stalled = false;
        tool.release();
        first.close();
        scripted.close();
        around.close();
    }

    /** While it is stalled leases cannot be renewed; everything else goes through. */
    private Journal stallable(Journal real) {
        return WatchedJournal.of(
                real,
                call -> {
                    if (stalled && call.of("takeLease")) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "stalled");
                    }
                    return call.proceed();
                });
    }

    private LightGateway second() {
        return new LightGateway(around, scripted, "boot/2");
    }

    private LightGateway secondTakesOver() {
        stalled = true;
        LightGateway second = second();
        Await.until("the second engine", PATIENCE, second::isReady);
        return second;
    }

    private void awaitLetGo() {
        Await.until("the first to let go", PATIENCE, () -> first.host.activeRuns() == 0);
    }

    private int runs() {
        return around.journal().runs("", "", "", 10).size();
    }

    @Test
    void theSecondWaitsAndSaysForWhom() {
        try (LightGateway second = second()) {
            Await.until(
                    "the second to say so",
                    PATIENCE,
                    () -> {
                        PalyraException e =
                                assertThrows(PalyraException.class, () -> second.submit("hi"));
                        assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, e.code());
                        return e.getMessage().contains("boot/1.1 holds it");
                    });
            assertFalse(second.isReady());
            assertEquals(0, runs());
            assertTrue(first.isReady());
        }
    }

    @Test
    void whatTheFirstStillHearsFromItsModelHasNoEffect() {
        Submission run = first.submit("one");
        Await.until("the turn", PATIENCE, () -> held.sink != null);
        scripted.answer("by the second");
        try (LightGateway second = secondTakesOver()) {
            assertEquals(RunState.SUCCEEDED, second.ended(run.runId()).state());
            held.say(
                    new ModelEvent.TextDelta("by the first"),
                    new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{}")),
                    new ModelEvent.Finished("tool_calls", 1, 1));
            awaitLetGo();
            List<TapeEvent.TurnFinished> turns =
                    second.records(run.runId(), TapeEvent.TurnFinished.class);
            assertEquals(1, turns.size());
            assertEquals("by the second", turns.get(0).text());
            assertEquals(0, tool.calls().size());
            assertEquals(1, around.journal().outboxOf(run.runId()).size());
            around.assertVerified();
        }
    }

    @Test
    void theFirstTakesInNoMessagesAnyMore() {
        scripted.answer("by the second");
        try (LightGateway second = secondTakesOver()) {
            PalyraException refused =
                    assertThrows(PalyraException.class, () -> first.submit("too late"));
            assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, refused.code());
            assertEquals(0, runs());
            assertEquals(0, around.journal().inboxIn(InboxRow.State.ROUTED, "", 10).size());
            Submission run = second.submit("in time");
            assertEquals(RunState.SUCCEEDED, second.ended(run.runId()).state());
        }
    }

    @Test
    void aCallWhoseStartIsRecordedDoesNotStartOnceSomebodyElseHasItsRun() {
        FullExecutor full = fullExecutor();
        Submission run = first.submit("work");
        held.say(
                new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        Await.until("the start to be tried", PATIENCE, () -> full.refused.get() > 0);
        assertEquals(1, first.records(run.runId(), TapeEvent.ToolStarted.class).size());
        scripted.answer("it was interrupted");
        try (LightGateway second = secondTakesOver()) {
            assertEquals(RunState.SUCCEEDED, second.ended(run.runId()).state());
            assertEquals(
                    Outcome.INTERRUPTED,
                    second.records(run.runId(), TapeEvent.ToolCallOutput.class).get(0).outcome());
            full.full = false; // now there would be room
            stalled = false; // and now it learns
            awaitLetGo();
            assertEquals(0, tool.calls().size());
        }
    }

    /** As above without a second engine: then it starts. */
    @Test
    void aCallWhoseStartIsRecordedStartsWhenThereIsRoom() {
        FullExecutor full = fullExecutor();
        Submission run = first.submit("work");
        held.say(
                new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        Await.until("the start to be tried", PATIENCE, () -> full.refused.get() > 0);
        held.sink = null;
        full.full = false;
        held.say(new ModelEvent.TextDelta("done"), new ModelEvent.Finished("stop", 1, 1));
        assertEquals(RunState.SUCCEEDED, first.ended(run.runId()).state());
        assertEquals(1, tool.calls().size());
    }

    private FullExecutor fullExecutor() {
        FullExecutor full = new FullExecutor(around.executor);
        first.services.tools().remove(around.executor);
        first.services.tools().add(full, Map.of());
        return full;
    }

    @Test
    void aRouterOfAnEngineThatWasStoppedRecordsNothing() {
        Router old = first.host.router();
        first.close();
        SubmittedMessage late = SubmittedMessage.of("shell", "late");
        try (LightGateway second = second()) {
            Await.until("the second engine", PATIENCE, second::isReady);
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () -> old.accept(LightGateway.inbox(late), late, List.of()));
            assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, refused.code());
            assertEquals(0, runs());
        }
    }
}
