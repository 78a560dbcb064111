package palyra.api.core.access;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.tape.TapeEvent.Verdict;

/**
 * The decision about a tool call.
 *
 * @param verdict allow, deny or approval required
 * @param reasonCode machine-readable: {@code tool.allowed}, {@code tool.budget_exhausted}, {@code
 *     tool.not_allowlisted}, {@code tool.unknown}, {@code tool.sensitive}, {@code
 *     policy.unavailable}
 * @param reason one sentence that the model may see
 * @param source {@code BUILT_IN_RULES} or {@code POLICY}
 * @param policyIds rules or policies that determined it
 * @param snapshotJson the security configuration in force, canonical JSON with the fields of a
 *     policy snapshot
 * @param detail what policies said beyond the verdict; empty unless a policy engine decided
 */
public record ToolPolicyDecision(
        Verdict verdict,
        String reasonCode,
        String reason,
        String source,
        List<String> policyIds,
        String snapshotJson,
        Optional<PolicyDecision> policy) {
    /** Checks and copies. */
    public ToolPolicyDecision {
        Require.present(verdict, "verdict");
        Require.text(reasonCode, "reason code");
        Require.text(reason, "reason");
        Require.text(source, "source");
        policyIds = List.copyOf(policyIds);
        Require.text(snapshotJson, "policy snapshot");
        Require.present(policy, "policy answer");
    }

    /** Returns an answer that no policy engine gave. */
    public ToolPolicyDecision(
            Verdict verdict,
            String reasonCode,
            String reason,
            String source,
            List<String> policyIds,
            String snapshotJson) {
        this(verdict, reasonCode, reason, source, policyIds, snapshotJson, Optional.empty());
    }
}
