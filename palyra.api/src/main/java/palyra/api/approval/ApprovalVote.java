package palyra.api.approval;

import palyra.api.Require;

/**
 * One person's yes. A no decides at once and is no vote.
 *
 * @param principal who said it
 * @param ttlMillis how long a {@link ApprovalScope#TIMEBOXED} yes holds; 0 otherwise
 * @param maxUses how many calls it covers; 0 means any number
 * @param reason why; may be empty
 * @param atMillis unix time in milliseconds
 */
public record ApprovalVote(
        String principal,
        ApprovalScope scope,
        GrantShape shape,
        long ttlMillis,
        int maxUses,
        String reason,
        long atMillis) {
    /** Checks. */
    public ApprovalVote {
        Require.text(principal, "principal");
        Require.present(scope, "scope");
        Require.present(shape, "shape");
        reason = Require.orEmpty(reason);
    }
}
