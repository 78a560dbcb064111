package palyra.shared.approval;

import java.util.List;
import palyra.api.Require;

/**
 * One person's answer as the journal keeps it: of a yes with the vote, of the deciding one with the
 * question.
 *
 * @param principal who answered
 * @param groups groups that the principal was in when it answered, sorted
 * @param scope word of {@code palyra.api.approval.ApprovalScope}
 * @param shape word of {@code palyra.api.approval.GrantShape}
 * @param ttlMillis how long a yes of scope TIMEBOXED holds; 0 otherwise
 * @param maxUses how many calls it covers; 0 means any number
 * @param reason why; may be empty
 * @param grantId the grant that it made; empty when it made none
 */
public record Vote(
        String principal,
        List<String> groups,
        boolean granted,
        String scope,
        String shape,
        long ttlMillis,
        int maxUses,
        String reason,
        String grantId) {
    /** Checks and copies. */
    public Vote {
        principal = Require.orEmpty(principal);
        groups = List.copyOf(groups);
        Require.text(scope, "scope");
        Require.text(shape, "shape");
        reason = Require.orEmpty(reason);
        grantId = Require.orEmpty(grantId);
    }
}
