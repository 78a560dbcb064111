package palyra.gateway.internal.engine.tool;

import java.util.Optional;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.gateway.internal.approval.CoveringGrant;
import palyra.shared.approval.ApprovalRequestBody;

/**
 * The decision about a call.
 *
 * @param factsSha256 digest of the call's facts; empty without facts
 * @param cover the grant under which the call is allowed; empty when no approval was needed or it
 *     is not allowed
 * @param question the approval request; present exactly when an approval is required
 * @param reminderMillis how long before its end a reminder is sent, in milliseconds
 */
record CallDecision(
        ToolPolicyDecision answer,
        String factsSha256,
        Optional<CoveringGrant> cover,
        Optional<ApprovalRequestBody> question,
        long reminderMillis) {
    static CallDecision of(ToolPolicyDecision answer, String factsSha256) {
        return new CallDecision(answer, factsSha256, Optional.empty(), Optional.empty(), 0);
    }

    static CallDecision under(CoveringGrant cover, ToolPolicyDecision answer, String factsSha256) {
        return new CallDecision(answer, factsSha256, Optional.of(cover), Optional.empty(), 0);
    }

    static CallDecision asking(
            ApprovalRequestBody question,
            ToolPolicyDecision answer,
            String factsSha256,
            long reminderMillis) {
        return new CallDecision(
                answer, factsSha256, Optional.empty(), Optional.of(question), reminderMillis);
    }
}
