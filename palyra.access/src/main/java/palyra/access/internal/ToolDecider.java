package palyra.access.internal;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.LoggerFactory;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;
import palyra.api.tape.TapeEvent.Verdict;

/**
 * Decides about tool calls: safe mode, budget, the agent's list, whether the tool exists, then the
 * rules (capabilities first). A rule engine that gives no answer means no.
 */
final class ToolDecider {
    private static final String UNKNOWN_RULES = "";

    private final RareLog log = new RareLog(LoggerFactory.getLogger(ToolDecider.class));
    private final Rules rules;
    private final boolean safeMode;

    ToolDecider(Rules rules, boolean safeMode) {
        this.rules = rules;
        this.safeMode = safeMode;
    }

    ToolAnswer decide(ToolQuestion question) {
        ToolRuling ruling;
        SortedSet<String> usable = new TreeSet<>();
        String rulesSha256 = UNKNOWN_RULES;
        try {
            usable = rules.usableTools(question.testAgent());
            rulesSha256 = rules.sha256();
            ruling = rule(question);
        } catch (RuntimeException | LinkageError e) {
            log.error("The rules failed on a call of {}; it is denied.", question.toolName(), e);
            ruling = undecided();
        }
        return new ToolAnswer(
                ruling.verdict(),
                ruling.reasonCode(),
                ruling.reason(),
                rules.source().name(),
                List.of(ruling.ruleId()),
                PolicySnapshot.json(question, usable, rulesSha256, safeMode));
    }

    private ToolRuling rule(ToolQuestion question) {
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
                    "This run has used up its tool calls; answer with what is known.");
        }
        if (!question.agentTools().contains(tool)) {
            return denied(
                    "builtin.tool_allowlist",
                    "tool.not_allowlisted",
                    tool + " is not on this agent's list of tools; use one that was offered.");
        }
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
                    "What is offered as " + tool + " describes itself as another tool.");
        }
        ToolRuling ruling = rules.decideTool(question);
        return ruling == null ? undecided() : ruling;
    }

    private static ToolRuling undecided() {
        return denied(
                "builtin.no_decision",
                "policy.unavailable",
                "There is nobody to decide about this call, so it is denied.");
    }

    private static ToolRuling denied(String ruleId, String code, String reason) {
        return new ToolRuling(Verdict.DENY, ruleId, code, reason);
    }
}
