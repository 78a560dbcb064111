package palyra.gateway.internal.approval;

import java.util.Set;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.WorkspaceState;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.tools.CallPattern;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.Coverage;

/** Whether a grant covers a call. Pure. When in doubt it does not. */
public final class GrantMatcher {
    private static final String EXACT = "EXACT";
    private static final String PATTERN = "PATTERN";
    private static final String ONCE = ApprovalScope.ONCE.name();

    private GrantMatcher() {}

    /**
     * Returns whether the row is for this very caller: principal, agent, session, tool, call, and
     * that it has not ended.
     */
    public static boolean isFor(
            GrantRow row, CallOrigin callOrigin, CallForApproval call, long nowMillis) {
        return row.state() == GrantRow.State.ACTIVE
                && (row.expiresAtMillis() == 0 || row.expiresAtMillis() > nowMillis)
                && (row.maxUses() == 0 || row.uses() < row.maxUses())
                && row.principal().equals(callOrigin.principal())
                && row.agentId().equals(callOrigin.agentId())
                && (row.sessionId().isEmpty() || row.sessionId().equals(callOrigin.sessionId()))
                && (row.callId().isEmpty() || row.callId().equals(callOrigin.callId()))
                && row.tool().equals(call.tool());
    }

    /** Returns whether what the grant covers includes the call. */
    public static boolean includes(Coverage coverage, CallForApproval call) {
        if (!isAsStrict(call.confinement(), coverage)) {
            return false;
        }
        return switch (coverage.shape()) {
            case EXACT ->
                    coverage.bindingSha256().equals(call.bindingSha256())
                            && (coverage.scope().equals(ONCE)
                                    ? isInSameWorkspace(coverage, call)
                                    : !call.onceOnly());
            case PATTERN -> byPattern(coverage.pattern(), call);
            default -> false; // written by an engine that knows more
        };
    }

    /** What has ended since cannot change files any more; what began since was not shown. */
    private static boolean isInSameWorkspace(Coverage coverage, CallForApproval call) {
        WorkspaceState now = call.facts().workspace();
        return coverage.workspaceSha256().equals(now.sha256())
                && coverage.running().containsAll(now.running());
    }

    /** An approval for a stricter sandbox does not cover a laxer one. */
    private static boolean isAsStrict(Confinement wanted, Coverage coverage) {
        try {
            return wanted.tier().compareTo(Confinement.Tier.valueOf(coverage.tier())) >= 0
                    && wanted.egress().compareTo(Confinement.Egress.valueOf(coverage.egress()))
                            >= 0;
        } catch (IllegalArgumentException e) {
            return false; // a kind of place that this engine does not know
        }
    }

    private static boolean byPattern(ApprovalRequestBody.Pattern granted, CallForApproval call) {
        if (call.onceOnly() || granted == null) {
            return false;
        }
        CallPattern shown =
                new CallPattern(
                        granted.sentence(),
                        granted.fixed(),
                        Set.copyOf(granted.options()),
                        Set.copyOf(granted.hosts()));
        return call.description().pattern().map(shown::covers).orElse(false);
    }
}
