package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetRow;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.settings.Budget;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

/**
 * The process dies at every write of a run with a budget, one whose first model fails, just before
 * it and just after; then it starts again. In the end nothing is set aside, every attempt was
 * counted, and none twice.
 */
class BudgetCrashTest {
    private static final ModelSettings SETTINGS =
            ModelSettings.of(
                    List.of(
                            new Budget(
                                    "daily",
                                    "principal:*",
                                    Budget.Per.DAY,
                                    new BudgetAmount(10_000_000, 0, 1_000))));
    private static Thread.UncaughtExceptionHandler before;

    @TempDir Path folder;

    @BeforeAll
    static void quiet() {
        before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, e) -> {
                    if (!(e instanceof DyingJournal.Dead)) {
                        e.printStackTrace();
                    }
                });
    }

    @AfterAll
    static void loud() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    @TestFactory
    List<DynamicTest> countsEveryAttemptOnceWhereverItDies() {
        List<DynamicTest> tests = new ArrayList<>();
        for (int write = 1; write <= 5; write++) {
            for (boolean after : new boolean[] {false, true}) {
                int n = write;
                tests.add(
                        DynamicTest.dynamicTest(
                                (after ? "after" : "before") + " write " + n,
                                () -> dieAndComeBack(n, after)));
            }
        }
        return tests;
    }

    /** The first attempt of a turn fails in a way that may pass. */
    private static List<ModelEvent> script(ModelRequest request) {
        if (request.requestId().endsWith("/1/1")) {
            return List.of(
                    new ModelEvent.TextDelta("I beg"),
                    new ModelEvent.Failed(palyra.api.ErrorCode.MODEL_FAILED, "It broke.", true));
        }
        boolean told =
                request.messages().stream().anyMatch(ModelMessage.ToolOutput.class::isInstance);
        return told
                ? List.of(new ModelEvent.TextDelta("done"), new ModelEvent.Finished("stop", 1, 1))
                : List.of(
                        new ModelEvent.Proposed(new ToolProposal("", "palyra.absent", "{}")),
                        new ModelEvent.Finished("tool_calls", 1, 1));
    }

    private void dieAndComeBack(int write, boolean after) {
        Path state = folder.resolve((after ? "after" : "before") + write);
        SubmittedMessage message =
                new SubmittedMessage("shell", "key", "", "", "", "", "", "work", "", false);
        DyingJournal dying =
                new DyingJournal(
                        write, after, unit -> unit.operations().toString().contains("streamId=01"));
        live(state, dying, message);
        assertTrue(dying.dead(), "the run has at least " + write + " writes");
        try (LightGateway.Surroundings around = new LightGateway.Surroundings(state, "boot2");
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(BudgetCrashTest::script)) {
            around.models = SETTINGS;
            try (LightGateway gateway = new LightGateway(around, model, "boot2/1").awaitReady()) {
                String runId = gateway.submit(message).runId();
                assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
                assertCounted(gateway, around, runId);
            }
        }
    }

    private static void assertCounted(
            LightGateway gateway, LightGateway.Surroundings around, String runId) {
        List<TapeEvent.TurnFinished> finished =
                gateway.records(runId, TapeEvent.TurnFinished.class);
        long tokens = 0;
        List<TapeEvent.TurnStarted> started = gateway.records(runId, TapeEvent.TurnStarted.class);
        for (TapeEvent.TurnStarted attempt : started) {
            boolean ended =
                    finished.stream()
                            .anyMatch(
                                    turn ->
                                            turn.turn() == attempt.turn()
                                                    && turn.attempt() == attempt.attempt());
            assertEquals(
                    runId + "/" + attempt.turn() + "/" + attempt.attempt(),
                    attempt.reservationId());
            tokens += ended ? 2 : attempt.reservedTokens();
        }
        BudgetRow account = around.journal().budgets("", "principal:user:alice", 0, 10).getFirst();
        assertEquals(BudgetAmount.NONE, account.reserved());
        assertEquals(new BudgetAmount(tokens, 0, started.size()), account.used());
    }

    private static void live(Path state, DyingJournal dying, SubmittedMessage message) {
        try (LightGateway.Surroundings around = new LightGateway.Surroundings(state, "boot1");
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(BudgetCrashTest::script)) {
            around.models = SETTINGS;
            LightGateway gateway =
                    new LightGateway(around, model, "boot1/1", dying::around, new OpenAccess())
                            .awaitReady();
            gateway.offering("palyra.absent");
            try {
                gateway.submit(message);
                Await.until("the process to die", dying::dead);
            } catch (DyingJournal.Dead e) {
                assertTrue(dying.dead());
            }
            gateway.close();
        }
    }
}
