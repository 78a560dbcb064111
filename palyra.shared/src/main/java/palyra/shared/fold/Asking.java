package palyra.shared.fold;

import palyra.api.tape.TapeEvent.ApprovalDecision;
import palyra.api.tape.TapeEvent.ApprovalRequest;

/**
 * How far people were asked about a call.
 *
 * @param asks how often; 0 while they were not
 * @param approvalId the last question; empty while there is none
 * @param askedAtMillis when it was asked, unix time in milliseconds; 0 while there is none
 * @param answer what came of the last question; null while nothing has
 * @param answeredAtMillis when, unix time in milliseconds; 0 while nothing has
 */
public record Asking(
        int asks,
        String approvalId,
        long askedAtMillis,
        ApprovalDecision answer,
        long answeredAtMillis) {
    /** Nobody was asked. */
    static final Asking NEVER = new Asking(0, "", 0, null, 0);

    Asking with(ApprovalRequest question, long timeMillis) {
        return new Asking(asks + 1, question.approvalId(), timeMillis, null, 0);
    }

    Asking with(ApprovalDecision said, long timeMillis) {
        return new Asking(asks, approvalId, askedAtMillis, said, timeMillis);
    }

    /** Returns whether the answer is to the last question, and the first one to it. */
    boolean isAnsweredBy(ApprovalDecision said) {
        return answer == null && asks > 0 && approvalId.equals(said.approvalId());
    }

    /** Returns whether nobody answered in time. */
    public boolean expired() {
        return answer != null && !answer.granted() && answer.decidedBy().isEmpty();
    }

    /** Returns what the model is told when the answer was no. */
    public String refusal() {
        if (expired()) {
            return "A person had to approve the call and nobody answered in time, so it was not"
                    + " made.";
        }
        return answer == null || answer.reason().isEmpty()
                ? "A person refused the call."
                : "A person refused the call: " + answer.reason();
    }
}
