package palyra.api.approval;

import palyra.api.Require;

/**
 * An answer to a question.
 *
 * @param approvalId ULID of the question
 * @param granted yes or no
 * @param scope how far a yes reaches; ignored for a no
 * @param ttlMillis how long a {@link ApprovalScope#TIMEBOXED} yes holds; 0 otherwise
 * @param reason why; may be empty; at most 1,000 characters. The model is told it when the answer
 *     is no
 */
public record ApprovalAnswer(
        String approvalId, boolean granted, ApprovalScope scope, long ttlMillis, String reason) {
    private static final int LONGEST_REASON = 1_000;

    /** Checks. */
    public ApprovalAnswer {
        Require.text(approvalId, "approval id");
        Require.present(scope, "scope");
        reason = Require.orEmpty(reason);
        Require.that(
                reason.length() <= LONGEST_REASON,
                "the reason has "
                        + reason.length()
                        + " characters; at most "
                        + LONGEST_REASON
                        + " are taken");
        Require.that(
                scope == ApprovalScope.TIMEBOXED ? ttlMillis > 0 || !granted : ttlMillis == 0,
                "a time goes with scope TIMEBOXED and with no other; "
                        + scope
                        + " came with "
                        + ttlMillis
                        + " ms");
    }
}
