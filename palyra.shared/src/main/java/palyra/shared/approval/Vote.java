package palyra.shared.approval;

import java.util.List;
import palyra.api.Require;

/**
 * One person's answer as the journal stores it: of a yes with the vote, of the deciding one with
 * the question.
 *
 * @param principal who answered
 * @param groups groups that the principal was in when it answered, sorted
 * @param scope word of {@code palyra.api.approval.ApprovalScope}
 * @param shape word of {@code palyra.api.approval.GrantShape}
 * @param ttlMillis how long a yes of scope TIMEBOXED holds; 0 otherwise
 * @param maxUses how many calls it covers; 0 means any number
 * @param reason why; may be empty
 * @param grantId the grant that it made; empty when it made none
 * @param person principal whose credential answered: the principal itself, or the one that spoke
 *     for it; a form without it means the principal itself
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
        String grantId,
        String person) {
    /** Checks and copies. */
    public Vote {
        principal = Require.orEmpty(principal);
        groups = List.copyOf(groups);
        Require.text(scope, "scope");
        Require.text(shape, "shape");
        reason = Require.orEmpty(reason);
        grantId = Require.orEmpty(grantId);
        person = Require.orEmpty(person).isEmpty() ? principal : person;
    }

    /** Creates the answer of a principal with its own credential. */
    public Vote(
            String principal,
            List<String> groups,
            boolean granted,
            String scope,
            String shape,
            long ttlMillis,
            int maxUses,
            String reason,
            String grantId) {
        this(
                principal, groups, granted, scope, shape, ttlMillis, maxUses, reason, grantId,
                principal);
    }
}
