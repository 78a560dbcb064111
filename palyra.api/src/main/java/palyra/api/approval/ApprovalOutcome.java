package palyra.api.approval;

import palyra.api.Require;

/**
 * How a question ended, or that it has not.
 *
 * @param decidedAtMillis unix time in milliseconds; 0 while pending
 * @param decidedBy principal whose answer decided; empty while pending, when it expired and when it
 *     was withdrawn
 * @param scope how far a yes reaches; the narrowest of all votes. {@code ONCE} unless granted
 * @param shape how alike calls must be; {@code EXACT} unless granted
 * @param ttlMillis how long a {@link ApprovalScope#TIMEBOXED} yes holds; 0 otherwise
 * @param reason what was said to it; may be empty
 * @param grantId the grant that it made; empty unless granted
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
    /** Nobody answered. */
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

    /** Returns an outcome that nobody's answer brought about. */
    public static ApprovalOutcome unanswered(ApprovalState state, long atMillis) {
        return new ApprovalOutcome(
                state, atMillis, "", ApprovalScope.ONCE, GrantShape.EXACT, 0, "", "");
    }
}
