package palyra.shared.tool;

import java.util.List;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.tape.TapeEvent;

/** The tape record of a policy decision on a call; every bundle that has calls decided uses it. */
public final class DecisionRecord {
    private DecisionRecord() {}

    /**
     * Returns the record.
     *
     * @param snapshotSha256 digest of the snapshot that goes with the answer
     * @param factsSha256 digest of the facts that were decided on; empty for none
     * @param grantId grant of people that covers the call; empty for none
     * @param approvedBy principals that gave the grant or approved the call; empty without approval
     */
    public static TapeEvent.ToolDecision of(
            String callId,
            String tool,
            ToolPolicyDecision answer,
            String snapshotSha256,
            String factsSha256,
            String grantId,
            List<String> approvedBy) {
        PolicyDecision policy = answer.policy().orElse(null);
        return new TapeEvent.ToolDecision(
                callId,
                tool,
                answer.verdict(),
                answer.reasonCode(),
                answer.reason(),
                answer.source(),
                answer.policyIds(),
                snapshotSha256,
                policy == null ? "" : policy.setSha256(),
                policy == null ? "" : policy.operatorReason(),
                policy == null ? List.of() : policy.missing(),
                policy == null ? "" : policy.confinement().tier().name(),
                policy == null ? "" : policy.confinement().egress().name(),
                policy == null ? "" : policy.confirmation().name(),
                policy == null ? "" : policy.evidenceJson(),
                factsSha256,
                grantId,
                approvedBy);
    }
}
