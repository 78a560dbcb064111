package palyra.access.internal;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.PolicyDecision;
import palyra.api.tape.TapeEvent.Verdict;

/**
 * The decision of the rules about a proposed tool call.
 *
 * @param source source of the decision
 * @param ruleIds rules or policies that determined it; empty for a policy's denial by default
 * @param reason one sentence that the model may see
 * @param policy the answer of the policies; empty unless they decided
 */
record ToolCallDecision(
        Verdict verdict,
        DecisionSource source,
        List<String> ruleIds,
        String reasonCode,
        String reason,
        Optional<PolicyDecision> policy) {
    ToolCallDecision {
        Require.present(verdict, "verdict");
        Require.present(source, "source");
        ruleIds = List.copyOf(ruleIds);
        Require.text(reasonCode, "reason code");
        Require.text(reason, "reason");
    }

    /** Returns the decision of a built-in rule. */
    static ToolCallDecision builtIn(
            Verdict verdict, String ruleId, String reasonCode, String reason) {
        return new ToolCallDecision(
                verdict,
                DecisionSource.BUILT_IN_RULES,
                List.of(Require.text(ruleId, "rule id")),
                reasonCode,
                reason,
                Optional.empty());
    }

    /** Returns the decision of the policies. */
    static ToolCallDecision of(PolicyDecision answer) {
        Verdict verdict =
                switch (answer.outcome()) {
                    case ALLOW -> Verdict.ALLOW;
                    case ALLOW_IF_APPROVED -> Verdict.APPROVAL_REQUIRED;
                    case DENY -> Verdict.DENY;
                };
        return new ToolCallDecision(
                verdict,
                DecisionSource.POLICY,
                answer.policyIds(),
                answer.reasonCode(),
                answer.reason(),
                Optional.of(answer));
    }
}
