package palyra.api.core.access;

import java.util.Set;
import palyra.api.Require;
import palyra.api.approval.ApprovalScope;

/**
 * How people may allow what a policy forbids without them. When several forbids ask, the strictest
 * of each part holds.
 *
 * @param approvers who may approve: groups ({@code group:approver}) and principals ({@code
 *     user:alice})
 * @param others whether the one on whose behalf the call happens may not approve it
 * @param ttlMillis validity of the approval request
 * @param scopes how far an approval may reach
 * @param quorum how many different people must approve, from 1
 * @param remindMillis how long before the end people are reminded; 0 means a quarter of the time
 * @param escalateTo who may approve as well from half that time before the end on; may be empty
 */
public record ApprovalTerms(
        Set<String> approvers,
        boolean others,
        long ttlMillis,
        Set<ApprovalScope> scopes,
        int quorum,
        long remindMillis,
        Set<String> escalateTo) {
    /** Default validity of an approval request: 24 hours. */
    public static final long DEFAULT_TTL_MILLIS = 86_400_000;

    /** Checks and copies. */
    public ApprovalTerms {
        approvers = Set.copyOf(approvers);
        scopes = Set.copyOf(scopes);
        escalateTo = Set.copyOf(escalateTo);
        Require.that(!approvers.isEmpty(), "an approval needs at least one approver");
        Require.that(!scopes.isEmpty(), "an approval needs a scope");
        Require.that(ttlMillis >= 1, "an approval is open for " + ttlMillis + " ms: use 1 or more");
        Require.that(
                remindMillis >= 0, "people are reminded " + remindMillis + " ms before the end");
        Require.that(quorum >= 1, "a quorum of " + quorum + " was asked for: use 1 or more");
    }

    /** Creates terms with the default reminder and no escalation. */
    public ApprovalTerms(
            Set<String> approvers,
            boolean others,
            long ttlMillis,
            Set<ApprovalScope> scopes,
            int quorum) {
        this(approvers, others, ttlMillis, scopes, quorum, 0, Set.of());
    }

    /** Returns how long before the end people are reminded. */
    public long reminderMillis() {
        return remindMillis == 0 ? ttlMillis / 4 : Math.min(remindMillis, ttlMillis);
    }
}
