package palyra.api.approval;

import palyra.api.Require;

/**
 * One user's approval. A denial decides at once and is not a vote.
 *
 * @param principal the user
 * @param ttlMillis validity of a {@link ApprovalScope#TIMEBOXED} approval; 0 otherwise
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
