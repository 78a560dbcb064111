package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetRow;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.settings.Budget;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.testing.model.ScriptedModelProvider;

/**
 * The process dies at every write of a run with a budget, one whose first model fails, just before
 * it and just after; then it starts again. In the end nothing is set aside, every attempt was
 * counted, and none twice.
 */
class BudgetCrashTest extends DeathAtEveryWrite {
    private static final ModelSettings SETTINGS =
            ModelSettings.of(
                    List.of(
                            new Budget(
                                    "daily",
                                    "principal:*",
                                    Budget.Per.DAY,
                                    new BudgetAmount(10_000_000, 0, 1_000))));

    @TestFactory
    List<DynamicTest> countsEveryAttemptOnceWhereverItDies() {
        return deaths(5, BudgetCrashTest::dieAndComeBack);
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

    private static void dieAndComeBack(Path state, int write, DyingJournal dying) {
        try (LightGateway.Surroundings around = new LightGateway.Surroundings(state, "boot1");
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(BudgetCrashTest::script)) {
            around.models = SETTINGS;
            live(around, model, dying, "palyra.absent");
        }
        try (LightGateway.Surroundings around = new LightGateway.Surroundings(state, "boot2");
                ScriptedModelProvider model =
                        new ScriptedModelProvider().otherwise(BudgetCrashTest::script)) {
            around.models = SETTINGS;
            try (LightGateway gateway = new LightGateway(around, model, "boot2/1").awaitReady()) {
                String runId = gateway.submit(MESSAGE).runId();
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
}
