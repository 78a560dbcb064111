package palyra.api.approval;

import palyra.api.Require;

/**
 * An answer to an approval request.
 *
 * @param approvalId ULID of the approval request
 * @param granted whether the call is approved
 * @param scope scope of the approval; ignored for a denial
 * @param shape how similar later calls must be for scope SESSION or TIMEBOXED; ignored for {@link
 *     ApprovalScope#ONCE} and for a denial
 * @param ttlMillis validity of a {@link ApprovalScope#TIMEBOXED} approval; 0 otherwise
 * @param maxUses how many calls are covered at most; 0 means any number. Scope ONCE always covers
 *     one call
 * @param reason why; may be empty; at most 1,000 characters. Given to the model when the call is
 *     denied
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

    /** Creates an answer that covers any number of equal calls. */
    public ApprovalAnswer(
            String approvalId,
            boolean granted,
            ApprovalScope scope,
            long ttlMillis,
            String reason) {
        this(approvalId, granted, scope, GrantShape.EXACT, ttlMillis, 0, reason);
    }
}
