package palyra.access.internal;

import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import palyra.access.internal.Rules.Usable;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tape.TapeEvent.Verdict;

/**
 * Decides about tool calls: safe mode, budget, the agent's list and the configured one, whether the
 * tool exists, its capabilities, then the rules. A rule engine that fails means no; one that is
 * away is said to be, so that a run can wait for it.
 */
final class ToolDecider {
    private static final int TRIES = 3;
    private static final Usable NOTHING = new Usable(new TreeSet<>(), "");

    private final RateLimitedLog log =
            new RateLimitedLog(LoggerFactory.getLogger(ToolDecider.class));
    private final Supplier<Rules> rules;
    private final Supplier<ToolLimits> limits;
    private final boolean safeMode;

    ToolDecider(Supplier<Rules> rules, Supplier<ToolLimits> limits, boolean safeMode) {
        this.rules = rules;
        this.limits = limits;
        this.safeMode = safeMode;
    }

    /** Decides; an exception of kind UNAVAILABLE when the rules are unavailable. */
    ToolPolicyDecision decide(ToolPolicyRequest question) {
        ToolLimits configured = limits.get();
        Optional<ToolCallDecision> early = byLimits(question, configured);
        return early.isPresent()
                ? answer(question, early.get(), usableOrNothing(question), configured)
                : ask(question, rules.get(), configured);
    }

    /** The answer and the list of tools are of one set of rules, or the rules are called again. */
    private ToolPolicyDecision ask(ToolPolicyRequest question, Rules now, ToolLimits configured) {
        for (int i = 0; i < TRIES; i++) {
            ToolCallDecision decision;
            Usable usable = NOTHING;
            try {
                usable = now.usableTools(question);
                ToolCallDecision said = now.decideTool(question);
                decision = said == null ? undecided() : said;
            } catch (RuntimeException | LinkageError e) {
                decision = failed(question, e);
            }
            String set = decision.policy().map(PolicyDecision::setSha256).orElse(usable.sha256());
            if (set.equals(usable.sha256())) {
                return answer(question, decision, usable, configured);
            }
        }
        throw PolicyRules.replacedTooOften();
    }

    private ToolCallDecision failed(ToolPolicyRequest question, Throwable failure) {
        if (failure instanceof PalyraException refused
                && refused.code().kind() == ErrorCode.Kind.UNAVAILABLE) {
            throw refused;
        }
        log.error("The rules failed on a call of {}; it is denied.", question.toolName(), failure);
        return undecided();
    }

    /** A call that is denied anyway does not wait for the rules. */
    private Usable usableOrNothing(ToolPolicyRequest question) {
        if (safeMode) {
            return NOTHING;
        }
        try {
            return rules.get().usableTools(question);
        } catch (RuntimeException | LinkageError e) {
            log.error("The rules cannot say what {} may use.", question.agentId(), e);
            return NOTHING;
        }
    }

    private ToolPolicyDecision answer(
            ToolPolicyRequest question,
            ToolCallDecision decision,
            Usable usable,
            ToolLimits configured) {
        SortedSet<String> allowed = new TreeSet<>(question.agentTools());
        allowed.retainAll(usable.tools());
        allowed.removeIf(tool -> !configured.allow(tool));
        return new ToolPolicyDecision(
                decision.verdict(),
                decision.reasonCode(),
                decision.reason(),
                decision.source().name(),
                decision.ruleIds(),
                PolicySnapshot.json(question, allowed, usable.sha256(), safeMode),
                decision.policy());
    }

    private Optional<ToolCallDecision> byLimits(ToolPolicyRequest question, ToolLimits configured) {
        String tool = question.toolName();
        if (safeMode) {
            return denied(
                    "builtin.tool_safe_mode",
                    "tool.safe_mode",
                    "The gateway was started for repair, and no tool runs then.");
        }
        if (question.budgetLeft() <= 0) {
            return denied(
                    "builtin.tool_budget",
                    "tool.budget_exhausted",
                    "This run has used up its tool calls; answer with the results so far.");
        }
        if (!question.agentTools().contains(tool)) {
            return denied(
                    "builtin.tool_allowlist",
                    "tool.not_allowlisted",
                    tool
                            + " is not on this agent's list of tools"
                            + NearestTool.hint(tool, question.agentTools())
                            + "; use one that was offered.");
        }
        if (!configured.allow(tool)) {
            return denied(
                    "config.tools",
                    "tool.not_allowlisted",
                    tool + " is not among the tools of this gateway; use another one.");
        }
        return unusable(question, configured);
    }

    private static Optional<ToolCallDecision> unusable(
            ToolPolicyRequest question, ToolLimits configured) {
        String tool = question.toolName();
        if (question.descriptor() == null) {
            return denied(
                    "builtin.tool_known",
                    "tool.unknown",
                    "There is no tool " + tool + " now; use one that was offered.");
        }
        if (!question.descriptor().name().equals(tool)) {
            return denied(
                    "builtin.tool_known",
                    "tool.unknown",
                    "The tool offered as " + tool + " describes itself as another tool.");
        }
        SortedSet<String> beyond = configured.excess(question.descriptor());
        return beyond.isEmpty()
                ? Optional.empty()
                : denied(
                        "config.capabilities",
                        "tool.capability_off",
                        tool + " needs " + String.join(", ", beyond) + ", which is off here.");
    }

    private static ToolCallDecision undecided() {
        return ToolCallDecision.builtIn(
                Verdict.DENY,
                "builtin.no_decision",
                "policy.unavailable",
                "The rules failed on this call, so it is denied.");
    }

    private static Optional<ToolCallDecision> denied(String ruleId, String code, String reason) {
        return Optional.of(ToolCallDecision.builtIn(Verdict.DENY, ruleId, code, reason));
    }
}
