package palyra.shared.fold;

import java.util.Locale;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.ApprovalDecision;
import palyra.api.tape.TapeEvent.ApprovalRequest;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tape.TapeEvent.ToolDecision;

/**
 * A proposed call as the tape tells it.
 *
 * @param ordinal how many calls of the run were proposed up to this one
 * @param decision last decision; null while nothing was decided
 * @param asking how far people were asked about it
 * @param attempt last started attempt; 0 while never started
 * @param output how it ended; null while it has not
 */
public record Call(
        ToolCallProposal proposal,
        int ordinal,
        CallState state,
        ToolDecision decision,
        ApprovalProgress asking,
        int attempt,
        ToolCallOutput output) {
    static Call proposed(ToolCallProposal proposal, int ordinal) {
        return new Call(
                proposal, ordinal, CallState.PROPOSED, null, ApprovalProgress.NEVER, 0, null);
    }

    Call with(ToolDecision next) {
        CallState then = CallMachine.decided(state, next.verdict());
        return new Call(proposal, ordinal, then, next, asking, attempt, output);
    }

    Call asked(ApprovalRequest question, long timeMillis) {
        CallMachine.asked(state);
        ApprovalProgress then = asking.with(question, timeMillis);
        return new Call(proposal, ordinal, state, decision, then, attempt, output);
    }

    /** A second answer, and one to a request that was replaced meanwhile, change nothing. */
    Call answered(ApprovalDecision answer, long timeMillis) {
        if (state != CallState.WAITING || !asking.isAnsweredBy(answer)) {
            return this;
        }
        CallState then = CallMachine.answered(state, answer.granted());
        ApprovalProgress said = asking.with(answer, timeMillis);
        return new Call(proposal, ordinal, then, decision, said, attempt, output);
    }

    Call started(int startedAttempt) {
        CallState then = CallMachine.started(state);
        CallMachine.require(
                startedAttempt == attempt + 1,
                "The record is about attempt "
                        + startedAttempt
                        + " of a call; expected attempt "
                        + (attempt + 1)
                        + ".");
        return new Call(proposal, ordinal, then, decision, asking, startedAttempt, output);
    }

    Call ended(ToolCallOutput how) {
        CallMachine.require(open(), "The call has an output; expected no second one.");
        CallState then = CallMachine.ended(state, how.outcome());
        return new Call(proposal, ordinal, then, decision, asking, attempt, how);
    }

    /** Returns the call's id. */
    public String callId() {
        return proposal.callId();
    }

    /** Returns whether a person said yes and the call has to be decided again with that. */
    public boolean approved() {
        return state == CallState.APPROVED;
    }

    /** Returns whether a person was asked about this call, and the last answer is yes. */
    public boolean allowedByPerson() {
        return asking.answer() != null && asking.answer().granted();
    }

    /** Returns whether it will never start, and the model is to be told why. */
    public boolean denied() {
        return state == CallState.DENIED;
    }

    /** Returns whether the last decision allows it under a grant. */
    public boolean underGrant() {
        return decision != null && !decision.grantId().isEmpty();
    }

    /** Returns whether its output for the model is still missing. */
    public boolean open() {
        return output == null;
    }

    /** Returns the output for the model: of a call that failed, why, and what it put out. */
    public String toldToModel() {
        return told(output);
    }

    /** Returns an output for the model; see {@link #toldToModel}. */
    public static String told(TapeEvent.ToolCallOutput output) {
        if (output.outcome() == Outcome.SUCCEEDED) {
            return output.outputJson();
        }
        String why = output.outcome().name().toLowerCase(Locale.ROOT) + ": " + output.error();
        return output.outputJson().equals("{}") ? why : why + "\n" + output.outputJson();
    }
}
