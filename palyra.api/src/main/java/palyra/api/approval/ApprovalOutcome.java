package palyra.api.approval;

import palyra.api.Require;

/**
 * The outcome of an approval request, or that it is pending.
 *
 * @param decidedAtMillis unix time in milliseconds; 0 while pending
 * @param decidedBy principal whose answer decided; empty while pending, when it expired and when it
 *     was withdrawn
 * @param scope scope of the approval; the narrowest of all votes. {@code ONCE} unless granted
 * @param shape how alike calls must be; {@code EXACT} unless granted
 * @param ttlMillis how long a {@link ApprovalScope#TIMEBOXED} yes holds; 0 otherwise
 * @param reason reason given with the answer; may be empty
 * @param grantId the grant it created; empty unless granted
 */
public record ApprovalOutcome(
        ApprovalState state,
        long decidedAtMillis,
        String decidedBy,
        ApprovalScope scope,
        GrantShape shape,
        long ttlMillis,
        String reason,
        String grantId) {
    /** Not answered yet. */
    public static final ApprovalOutcome PENDING = unanswered(ApprovalState.PENDING, 0);

    /** Checks. */
    public ApprovalOutcome {
        Require.present(state, "state");
        decidedBy = Require.orEmpty(decidedBy);
        Require.present(scope, "scope");
        Require.present(shape, "shape");
        reason = Require.orEmpty(reason);
        grantId = Require.orEmpty(grantId);
    }

    /** Returns an outcome without an answer, such as an expiry. */
    public static ApprovalOutcome unanswered(ApprovalState state, long atMillis) {
        return new ApprovalOutcome(
                state, atMillis, "", ApprovalScope.ONCE, GrantShape.EXACT, 0, "", "");
    }
}
