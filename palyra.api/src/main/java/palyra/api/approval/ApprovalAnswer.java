package palyra.api.approval;

import palyra.api.Require;

/**
 * An answer to a question.
 *
 * @param approvalId ULID of the question
 * @param granted yes or no
 * @param scope how far a yes reaches; ignored for a no
 * @param shape how alike later calls must be that a yes of scope SESSION or TIMEBOXED covers;
 *     ignored for {@link ApprovalScope#ONCE} and for a no
 * @param ttlMillis how long a {@link ApprovalScope#TIMEBOXED} yes holds; 0 otherwise
 * @param maxUses how many calls a yes covers at most; 0 means as many as come. Scope ONCE is one
 *     call whatever this says
 * @param reason why; may be empty; at most 1,000 characters. The model is told it when the answer
 *     is no
 */
public record ApprovalAnswer(
        String approvalId,
        boolean granted,
        ApprovalScope scope,
        GrantShape shape,
        long ttlMillis,
        int maxUses,
        String reason) {
    private static final int LONGEST_REASON = 1_000;

    /** Checks. */
    public ApprovalAnswer {
        Require.text(approvalId, "approval id");
        Require.present(scope, "scope");
        Require.present(shape, "shape");
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
        Require.that(maxUses >= 0, "a yes covers " + maxUses + " calls: use 0 for any number");
    }

    /** Creates an answer that covers equal calls only, as many as come. */
    public ApprovalAnswer(
            String approvalId,
            boolean granted,
            ApprovalScope scope,
            long ttlMillis,
            String reason) {
        this(approvalId, granted, scope, GrantShape.EXACT, ttlMillis, 0, reason);
    }
}
