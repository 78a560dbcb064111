package palyra.gateway.internal.fold;

import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tape.TapeEvent.ToolDecision;

/**
 * A proposed call as the tape tells it.
 *
 * @param decision last decision; null while nothing was decided
 * @param attempt last started attempt; 0 while never started
 * @param output how it ended; null while it has not
 */
public record Call(
        ToolCallProposal proposal,
        CallState state,
        ToolDecision decision,
        int attempt,
        ToolCallOutput output) {
    static Call proposed(ToolCallProposal proposal) {
        return new Call(proposal, CallState.PROPOSED, null, 0, null);
    }

    Call with(ToolDecision next) {
        return new Call(
                proposal, CallMachine.decided(state, next.verdict()), next, attempt, output);
    }

    Call answered(boolean granted) {
        return new Call(proposal, CallMachine.answered(state, granted), decision, attempt, output);
    }

    Call started(int startedAttempt) {
        return new Call(proposal, CallMachine.started(state), decision, startedAttempt, output);
    }

    Call ended(ToolCallOutput how) {
        return new Call(proposal, CallMachine.ended(state, how.outcome()), decision, attempt, how);
    }

    /** Returns the call's id. */
    public String callId() {
        return proposal.callId();
    }

    /** Returns whether what the model is told about it is still missing. */
    boolean open() {
        return output == null;
    }

    /** Returns what the model is told. */
    String toldToModel() {
        return output.outcome() == Outcome.SUCCEEDED
                ? output.outputJson()
                : output.outcome().name().toLowerCase(java.util.Locale.ROOT)
                        + ": "
                        + output.error();
    }
}
