package palyra.access.internal;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.access.DecisionSource;
import palyra.api.core.access.PolicyAnswer;
import palyra.api.tape.TapeEvent.Verdict;

/**
 * What a rule engine says to a proposed tool call.
 *
 * @param source what the decision is put down to
 * @param ruleIds rules or policies that determined it; empty for a policy's denial by default
 * @param reason one sentence that the model may see
 * @param policy what policies said; empty unless they decided
 */
record ToolCallDecision(
        Verdict verdict,
        DecisionSource source,
        List<String> ruleIds,
        String reasonCode,
        String reason,
        Optional<PolicyAnswer> policy) {
    ToolCallDecision {
        Require.present(verdict, "verdict");
        Require.present(source, "source");
        ruleIds = List.copyOf(ruleIds);
        Require.text(reasonCode, "reason code");
        Require.text(reason, "reason");
    }

    /** Returns what a rule in code says. */
    static ToolCallDecision builtIn(Verdict verdict, String ruleId, String reasonCode, String reason) {
        return new ToolCallDecision(
                verdict,
                DecisionSource.BUILT_IN_RULES,
                List.of(Require.text(ruleId, "rule id")),
                reasonCode,
                reason,
                Optional.empty());
    }

    /** Returns what policies say. */
    static ToolCallDecision of(PolicyAnswer answer) {
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
