package palyra.shared.fold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;

class RunOrderTest {
    private final RunOrder order = new RunOrder();

    private void take(TapeEvent... events) {
        for (TapeEvent event : events) {
            order.apply(event, 0);
        }
    }

    /** The record is refused, in a sentence that says so, and changes nothing. */
    private void refuses(TapeEvent event, String expected) {
        RunOrder before = new RunOrder(order.image());
        PalyraException e = assertThrows(PalyraException.class, () -> order.apply(event, 0));
        assertEquals(ErrorCode.CORRUPT, e.code());
        assertTrue(e.getMessage().contains(expected), e::getMessage);
        assertEquals(before.state(), order.state());
        assertEquals(before.turn(), order.turn());
        assertEquals(before.turnOpen(), order.turnOpen());
        assertEquals(List.copyOf(before.calls().all()), List.copyOf(order.calls().all()));
    }

    private static TapeEvent state(RunState state) {
        return new TapeEvent.RunStateChanged(state, null, "");
    }

    private static TapeEvent started(int turn, int attempt) {
        return new TapeEvent.TurnStarted(turn, attempt, "default", "p", "", "", "", "", 16, 0);
    }

    private static TapeEvent finished(int turn, int attempt, String... callIds) {
        List<ToolProposal> proposals = new ArrayList<>();
        for (String callId : callIds) {
            proposals.add(new ToolProposal(callId, "palyra.echo", "{}"));
        }
        return new TapeEvent.TurnFinished(turn, attempt, "", "stop", proposals, 0, 0);
    }

    private static TapeEvent proposal(String callId, int index) {
        return new TapeEvent.ToolCallProposal(callId, 1, index, "palyra.echo", "{}");
    }

    private static TapeEvent decision(String callId, Verdict verdict) {
        return new TapeEvent.ToolDecision(
                callId, "palyra.echo", verdict, "c", "r", "S", List.of(), "");
    }

    private static TapeEvent call(String callId, int attempt) {
        return new TapeEvent.ToolStarted(callId, attempt, "palyra.echo", "");
    }

    private static TapeEvent output(String callId, Outcome outcome) {
        return new TapeEvent.ToolCallOutput(callId, 1, "palyra.echo", outcome, "{}", "");
    }

    private void running() {
        take(state(RunState.ACCEPTED), state(RunState.RUNNING));
    }

    private void proposed() {
        running();
        take(started(1, 1), finished(1, 1, "a", "b"), proposal("a", 0), proposal("b", 1));
    }

    @Test
    void aRunBeginsWithItsAcceptance() {
        refuses(started(1, 1), "expected a run_state record that says ACCEPTED");
        refuses(state(RunState.RUNNING), "expected ACCEPTED");
        running();
        refuses(state(RunState.ACCEPTED), "expected");
    }

    @Test
    void nothingFollowsTheEnd() {
        running();
        take(state(RunState.FAILED));
        refuses(
                new TapeEvent.ExternalEvent("e", "note", "user:a", "1"),
                "ended as FAILED before; expected no record after that");
        refuses(state(RunState.CANCELLED), "expected no record");
    }

    @Test
    void aTurnFinishesOnceAndOnlyWhenItStarted() {
        running();
        refuses(finished(1, 1), "no turn is under way; expected turn_started");
        take(started(1, 1));
        refuses(finished(2, 1), "turn 1, attempt 1, is under way");
        refuses(finished(1, 2), "turn 1, attempt 1, is under way");
        take(finished(1, 1));
        refuses(finished(1, 1), "no turn is under way");
    }

    @Test
    void turnsAndAttemptsAreCounted() {
        refusedBeforeRunning();
        refuses(started(2, 1), "expected turn 1, attempt 1");
        take(started(1, 1));
        refuses(started(2, 1), "expected turn 1, attempt 2");
        refuses(new TapeEvent.TurnRestarted(1, 3, "lost"), "turn 1, attempt 1, is under way");
        take(new TapeEvent.TurnRestarted(1, 2, "lost"), started(1, 2), finished(1, 2));
        refuses(new TapeEvent.TurnRestarted(1, 3, "lost"), "no turn is under way");
        take(started(2, 1));
    }

    private void refusedBeforeRunning() {
        take(state(RunState.ACCEPTED));
        refuses(started(1, 1), "while the run is ACCEPTED; expected it RUNNING");
        take(state(RunState.RUNNING));
    }

    @Test
    void callsAreThoseThatTheirTurnNames() {
        running();
        take(started(1, 1), finished(1, 1, "a"));
        refuses(proposal("x", 0), "proposes call x; expected call a");
        take(proposal("a", 0));
        refuses(proposal("a", 1), "expected no more calls");
        refuses(decision("x", Verdict.ALLOW), "call x, which no turn proposed");
        refuses(output("x", Outcome.SUCCEEDED), "call x, which no turn proposed");
    }

    /** As {@code palyra skills run} writes it. */
    @Test
    void aRunMayBeOneCallByHand() {
        running();
        take(proposal("a", 0), decision("a", Verdict.ALLOW), call("a", 1));
        refuses(proposal("b", 1), "expected no more calls");
        take(output("a", Outcome.SUCCEEDED));
        refuses(started(1, 1), "expected no turn");
        take(state(RunState.SUCCEEDED));
    }

    @Test
    void aCallStartsOnlyWhenItIsAllowedAndTheRunRuns() {
        proposed();
        refuses(call("a", 1), "PROPOSED; expected one that is DECIDED or STARTED");
        take(decision("a", Verdict.ALLOW), decision("b", Verdict.APPROVAL_REQUIRED));
        refuses(call("b", 1), "WAITING; expected one that is DECIDED or STARTED");
        refuses(call("a", 2), "expected attempt 1");
        take(state(RunState.AWAITING_APPROVAL));
        refuses(call("a", 1), "expected it RUNNING");
        take(state(RunState.RUNNING), call("a", 1));
        refuses(call("a", 1), "expected attempt 2");
        take(call("a", 2));
    }

    @Test
    void aCallHasOneOutputAndNoTurnStartsWithoutIt() {
        proposed();
        take(decision("a", Verdict.ALLOW), call("a", 1), decision("b", Verdict.DENY));
        refuses(started(2, 1), "Call a has no output yet");
        take(output("a", Outcome.SUCCEEDED), output("b", Outcome.DENIED));
        refuses(output("b", Outcome.DENIED), "expected no second one");
        refuses(output("a", Outcome.CANCELLED), "expected no second one");
        take(started(2, 1));
        refuses(output("a", Outcome.SUCCEEDED), "which no turn proposed");
    }

    /** A person says no, and the run is cancelled before the model was told. */
    @Test
    void aRefusedCallMayBeCancelled() {
        proposed();
        take(decision("a", Verdict.DENY), output("a", Outcome.CANCELLED));
        assertTrue(order.calls().in(CallState.DENIED).isEmpty());
    }

    @Test
    void whatIsSaidAndKeptAsEvidenceIsNoStep() {
        proposed();
        RunOrder before = new RunOrder(order.image());
        take(
                new TapeEvent.Message(TapeEvent.Role.USER, "hi", "user:a", "shell", "m"),
                new TapeEvent.ExternalEvent("e", "tool_decision", "user:a", "{}"),
                new TapeEvent.Unknown("merkle_proof", 1),
                new TapeEvent.ApprovalDecision(
                        "ap", "elsewhere", true, "once", "user:b", "", "", "", List.of()));
        assertEquals(List.copyOf(before.calls().all()), List.copyOf(order.calls().all()));
        assertEquals(RunState.RUNNING, order.state());
    }
}
