package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.RunRow;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.settings.Budget;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.Price;
import palyra.gateway.internal.settings.Setting;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

/** Budgets: set aside before a model is asked, settled after, and a hard stop. */
class BudgetFlowTest {
    @TempDir Path folder;
    private LightGateway.Surroundings around;
    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final FakeAccess access = FakeAccess.forTools();
    private LightGateway gateway;

    @BeforeEach
    void start() {
        around = new LightGateway.Surroundings(folder, "boot");
        gateway =
                new LightGateway(around, model, "boot/1", journal -> journal, access).awaitReady();
    }

    @AfterEach
    void stop() {
        gateway.close();
        model.close();
        around.close();
    }

    private static Budget daily(BudgetAmount cap) {
        return new Budget("daily", "principal:*", Budget.Per.DAY, cap);
    }

    private void configure(Setting... settings) {
        around.models = ModelSettings.of(Arrays.asList(settings));
    }

    private static Price price() {
        return new Price("scripted", "scripted", "*", 2_000_000, 1_000_000, 10_000_000);
    }

    private BudgetRow account(String budget) {
        return rows().stream().filter(row -> row.budget().equals(budget)).findFirst().orElseThrow();
    }

    private List<BudgetRow> rows() {
        return around.journal().budgets("", "", 0, 100);
    }

    private static ModelEvent.Finished finished(long in, long out) {
        return new ModelEvent.Finished("stop", in, out);
    }

    private List<String> warnings() {
        List<String> found = new ArrayList<>();
        for (TapeRecord record : around.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000)) {
            if (record.type().equals("budget_warning")) {
                found.add(new String(record.payload(), StandardCharsets.UTF_8));
            }
        }
        return found;
    }

    @Test
    void setsAsideWithTheAnnouncementAndCountsWhatTheProviderCounted() {
        configure(daily(new BudgetAmount(100_000, 0, 10)), price());
        model.hold(new ModelEvent.TextDelta("thinking"));
        String runId = gateway.submit("hello").runId();
        Await.until("the model to be asked", () -> model.runningTurns() == 1);
        TapeEvent.TurnStarted started = gateway.records(runId, TapeEvent.TurnStarted.class).get(0);
        BudgetAmount reserved = account("daily").reserved();
        assertEquals(1, reserved.calls());
        assertEquals(reserved.tokens(), started.reservedTokens());
        assertEquals(reserved.costMicros(), started.reservedCostMicros());
        assertTrue(reserved.tokens() > 4_096, "the answer is set aside too");
        gateway.cancel(runId);
        assertEquals(RunState.CANCELLED, gateway.ended(runId).state());
        assertEquals(reserved, account("daily").used(), "it may have worked: all counts");

        model.turn(new ModelEvent.TextDelta("hi"), finished(1_000, 500));
        String second = gateway.submit("again").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(second).state());
        assertEquals(reserved.plus(new BudgetAmount(1_500, 7_000, 1)), account("daily").used());
        assertEquals(BudgetAmount.NONE, account("daily").reserved());
        TapeEvent.TurnFinished turn = gateway.records(second, TapeEvent.TurnFinished.class).get(0);
        assertEquals("provider", turn.counting());
        assertEquals(7_000, turn.costMicros());
        assertEquals("USD", turn.currency());
    }

    @Test
    void fullBudgetFailsTheRunWithASentenceAndLosesNoMessage() {
        configure(daily(new BudgetAmount(0, 0, 1)));
        model.answer("one");
        assertEquals(RunState.SUCCEEDED, gateway.ended(gateway.submit("one").runId()).state());
        String runId = gateway.submit("two").runId();
        RunRow run = gateway.ended(runId);
        assertEquals(RunState.FAILED, run.state());
        assertTrue(run.reason().contains("Budget 'daily' of principal:user:alice"), run.reason());
        assertTrue(run.reason().contains("1 calls a day"), run.reason());
        assertTrue(run.reason().contains("It opens again at "), run.reason());
        assertEquals(
                ErrorCode.RESOURCE_EXHAUSTED,
                gateway.records(runId, TapeEvent.RunStateChanged.class).getLast().code());
        assertEquals(1, around.journal().outboxOf(runId).size(), "the sender is told");
        assertEquals(1, model.requests().size());
    }

    @Test
    void runThatIsUnderWayStopsWhenItsBudgetIsFull() {
        configure(new Budget("run", "agent:default", Budget.Per.RUN, new BudgetAmount(0, 0, 1)));
        gateway.offering("palyra.absent");
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", "palyra.absent", "{}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        String runId = gateway.submit("work").runId();
        RunRow run = gateway.ended(runId);
        assertEquals(RunState.FAILED, run.state());
        assertTrue(run.reason().contains("for each run"), run.reason());
        assertEquals(1, gateway.records(runId, TapeEvent.ToolCallOutput.class).size());
        assertEquals(1, account("run").used().calls());
    }

    @Test
    void modelWithoutAPriceIsRefusedWhereMoneyIsCounted() {
        configure(daily(new BudgetAmount(0, 5_000_000, 0)));
        RunRow run = gateway.ended(gateway.submit("hello").runId());
        assertEquals(RunState.FAILED, run.state());
        assertTrue(run.reason().contains("has no price"), run.reason());
        assertEquals(List.of(), model.requests());
        configure(daily(new BudgetAmount(0, 5_000_000, 0)), price());
        model.answer("fine");
        assertEquals(RunState.SUCCEEDED, gateway.ended(gateway.submit("hello").runId()).state());
    }

    @Test
    void budgetThatCannotBeReadStopsAllModels() {
        configure(new Setting.Broken("budget", "daily", "who is not usable"));
        RunRow run = gateway.ended(gateway.submit("hello").runId());
        assertEquals(RunState.FAILED, run.state());
        assertTrue(run.reason().contains("Budget 'daily'"), run.reason());
        assertEquals(List.of(), model.requests());
        assertFalse(gateway.budgets.findings(around.models).isEmpty());
    }

    @Test
    void attemptThatReachedNobodyCountsNothingAndOneRefusedAtTheDoorOneCall() {
        configure(daily(new BudgetAmount(0, 0, 100)), price());
        model.turn(
                new ModelEvent.Failed(
                        ErrorCode.MODEL_FAILED, "Open.", false, FailureCause.CIRCUIT_OPEN, 0));
        gateway.ended(gateway.submit("hello").runId());
        assertEquals(BudgetAmount.NONE, account("daily").used());
        model.turn(
                new ModelEvent.Failed(
                        ErrorCode.MODEL_FAILED, "Key.", false, FailureCause.AUTHENTICATION, 0));
        gateway.ended(gateway.submit("hello").runId());
        assertEquals(new BudgetAmount(0, 0, 1), account("daily").used());
        model.turn(
                new ModelEvent.Failed(
                        ErrorCode.MODEL_FAILED, "Broke.", false, FailureCause.NETWORK, 0));
        gateway.ended(gateway.submit("hello").runId());
        assertEquals(2, account("daily").used().calls());
        assertTrue(account("daily").used().tokens() > 4_096, "it may have worked");
        assertEquals(BudgetAmount.NONE, account("daily").reserved());
    }

    @Test
    void uncountedTurnTakesWhatWasSetAside() {
        configure(daily(new BudgetAmount(0, 0, 100)), price());
        model.turn(new ModelEvent.TextDelta("hi"), new ModelEvent.Finished("stop", 0, 0, 0, false));
        String runId = gateway.submit("hello").runId();
        gateway.ended(runId);
        TapeEvent.TurnStarted started = gateway.records(runId, TapeEvent.TurnStarted.class).get(0);
        assertEquals(started.reservedTokens(), account("daily").used().tokens());
        assertEquals(
                "reservation",
                gateway.records(runId, TapeEvent.TurnFinished.class).get(0).counting());
    }

    @Test
    void peopleAreToldOfEachThresholdOnce() {
        configure(daily(new BudgetAmount(0, 0, 10)));
        for (int i = 1; i <= 10; i++) {
            model.answer("answer " + i);
            assertEquals(
                    RunState.SUCCEEDED,
                    gateway.ended(gateway.submit("message " + i).runId()).state());
            int expected = i >= 10 ? 3 : i >= 8 ? 2 : i >= 5 ? 1 : 0;
            Await.until("the warnings of call " + i, () -> warnings().size() == expected);
        }
        gateway.ended(gateway.submit("one more").runId());
        gateway.ended(gateway.submit("and one").runId());
        assertEquals(3, warnings().size(), "a refusal is the last threshold, told before");
        assertTrue(warnings().get(1).contains("\"threshold\":80"), warnings().get(1));
        assertEquals(1, gateway.budgets.findings(around.models).size());
        assertTrue(
                gateway.budgets.metrics().stream()
                        .anyMatch(metric -> metric.name().equals("palyra_budget_percent")));
    }

    @Test
    void toolDecisionsSeeWhatWasSpentOfTheTightestBudget() {
        configure(
                daily(new BudgetAmount(1_000_000, 0, 0)),
                new Budget("calls", "all", Budget.Per.DAY, new BudgetAmount(0, 0, 4)));
        gateway.offering("palyra.echo");
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", "palyra.echo", "{\"text\":\"x\"}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        gateway.ended(gateway.submit("work").runId());
        assertEquals(25, access.toolRequests().get(0).situation().spend().percent());
        assertEquals(1, access.toolRequests().get(0).situation().spend().calls());
    }

    @Test
    void accountsAreEachPrincipalsOwn() {
        Budget budget = daily(new BudgetAmount(0, 0, 1));
        Principal alice = LightGateway.ALICE;
        assertEquals(
                "principal:" + alice.id(),
                budget.subject(
                                new palyra.api.model.ModelCaller(
                                        alice.id(), java.util.Set.of(), "a", "s", ""))
                        .orElseThrow());
        assertEquals(
                Instant.parse("2026-03-02T00:00:00Z").toString().substring(0, 10),
                budget.period("r", Instant.parse("2026-03-02T23:59:59.999Z")));
    }
}
