package palyra.api.approval;

import palyra.api.Require;

/**
 * A grant: the calls that an approval covers.
 *
 * @param grantId ULID
 * @param approvalId approval request that created it
 * @param principal on whose behalf calls are covered
 * @param agentId agent whose calls are covered
 * @param sessionId session within which; empty means any of the principal's
 * @param covers the covered calls in one sentence, as shown before the answer
 * @param grantedBy principals that approved, joined by commas
 * @param createdAtMillis unix time in milliseconds
 * @param expiresAtMillis unix time in milliseconds; 0 means as long as the session
 * @param maxUses how many calls; 0 means any number
 * @param uses how many calls it was used for
 * @param endedBy principal that revoked it; empty otherwise
 */
public record GrantView(
        String grantId,
        String approvalId,
        String principal,
        String agentId,
        String sessionId,
        String tool,
        ApprovalScope scope,
        GrantShape shape,
        String covers,
        String grantedBy,
        GrantState state,
        long createdAtMillis,
        long expiresAtMillis,
        int maxUses,
        int uses,
        String endedBy) {
    /** Checks. */
    public GrantView {
        Require.text(grantId, "grant id");
        approvalId = Require.orEmpty(approvalId);
        principal = Require.orEmpty(principal);
        agentId = Require.orEmpty(agentId);
        sessionId = Require.orEmpty(sessionId);
        tool = Require.orEmpty(tool);
        Require.present(scope, "scope");
        Require.present(shape, "shape");
        covers = Require.orEmpty(covers);
        grantedBy = Require.orEmpty(grantedBy);
        Require.present(state, "state");
        endedBy = Require.orEmpty(endedBy);
    }
}
