package palyra.shared.fold;

import palyra.api.tape.TapeEvent.ApprovalDecision;
import palyra.api.tape.TapeEvent.ApprovalRequest;

/**
 * State of a call's approval request.
 *
 * @param asks how often; 0 while they were not
 * @param approvalId the last approval request; empty before the first
 * @param askedAtMillis when it was made, unix time in milliseconds; 0 before the first
 * @param answer what came of the last question; null while nothing has
 * @param answeredAtMillis when, unix time in milliseconds; 0 while nothing has
 */
public record ApprovalProgress(
        int asks,
        String approvalId,
        long askedAtMillis,
        ApprovalDecision answer,
        long answeredAtMillis) {
    /** No approval was requested. */
    static final ApprovalProgress NEVER = new ApprovalProgress(0, "", 0, null, 0);

    ApprovalProgress with(ApprovalRequest question, long timeMillis) {
        return new ApprovalProgress(asks + 1, question.approvalId(), timeMillis, null, 0);
    }

    ApprovalProgress with(ApprovalDecision said, long timeMillis) {
        return new ApprovalProgress(asks, approvalId, askedAtMillis, said, timeMillis);
    }

    /** Returns whether the answer is to the last question, and the first one to it. */
    boolean isAnsweredBy(ApprovalDecision said) {
        return answer == null && asks > 0 && approvalId.equals(said.approvalId());
    }

    /** Returns whether the request expired. */
    public boolean expired() {
        return answer != null && !answer.granted() && answer.decidedBy().isEmpty();
    }

    /** Returns the tool error for the model when the answer was no. */
    public String refusal() {
        if (expired()) {
            return "The call needed an approval and no approver answered in time, so it was not"
                    + " made.";
        }
        return answer == null || answer.reason().isEmpty()
                ? "A person refused the call."
                : "A person refused the call: " + answer.reason();
    }
}
