package palyra.policy.internal.decide;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.CallSituation;
import palyra.api.core.access.PolicyAnswer.Outcome;
import palyra.api.core.access.ToolQuestion;
import palyra.api.tool.ToolDescriptor;
import palyra.policy.internal.cedar.Effect;
import palyra.policy.internal.cedar.Explanation;
import palyra.policy.internal.set.Snapshot;
import palyra.policy.internal.set.Snapshot.Origin;

/**
 * Which tools are worth offering to a model. Before its input is known nobody knows the facts of a
 * call, so a policy that reads them is taken to say what the call needs; the call itself is decided
 * exactly.
 */
final class Offers {
    private static final String FACTS = "facts";

    private Offers() {}

    static Set<String> usable(
            Snapshot snapshot, ToolQuestion question, List<ToolDescriptor> tools) {
        Set<String> usable = new TreeSet<>();
        for (ToolDescriptor tool : tools) {
            if (mayBe(snapshot, Question.of(with(question, tool)))) {
                usable.add(tool.name());
            }
        }
        return usable;
    }

    private static boolean mayBe(Snapshot snapshot, Question question) {
        return new Deliberation(
                                        snapshot,
                                        question,
                                        each -> snapshot.evaluator().decide(each.request(snapshot)))
                                .answer()
                                .outcome()
                        != Outcome.DENY
                || couldBe(snapshot, question)
                || couldBe(snapshot, question.withApproval(true));
    }

    private static boolean couldBe(Snapshot snapshot, Question question) {
        Explanation explanation = snapshot.evaluator().explain(question.request(snapshot));
        boolean permitted = false;
        for (Explanation.Entry entry : explanation.entries()) {
            if (entry.policy().effect() == Effect.FORBID) {
                if (entry.outcome() == Explanation.Outcome.SATISFIED && !reads(snapshot, entry)) {
                    return false;
                }
            } else {
                permitted |= couldPermit(snapshot, entry);
            }
        }
        return permitted;
    }

    private static boolean couldPermit(Snapshot snapshot, Explanation.Entry entry) {
        return switch (entry.outcome()) {
            case SATISFIED -> true;
            case SCOPE_MISS -> false;
            case ERROR -> reads(snapshot, entry);
            case CONDITION_FALSE ->
                    !entry.details().isEmpty()
                            && entry.details().stream().allMatch(text -> text.contains(FACTS));
        };
    }

    private static boolean reads(Snapshot snapshot, Explanation.Entry entry) {
        String id = entry.policy().templateId().orElse(entry.policy().id());
        Origin origin = snapshot.origins().get(id);
        return origin == null || origin.text().contains(FACTS);
    }

    private static ToolQuestion with(ToolQuestion question, ToolDescriptor tool) {
        CallSituation situation = question.situation();
        return new ToolQuestion(
                question.principal(),
                question.agentId(),
                question.testAgent(),
                question.runId(),
                question.sessionId(),
                question.callId(),
                tool.name(),
                tool,
                "{}",
                question.agentTools(),
                question.budgetLeft(),
                question.maxCallsPerRun(),
                new CallSituation(
                        situation.channel(),
                        situation.device(),
                        situation.groups(),
                        situation.allowSensitive(),
                        false,
                        Set.of(),
                        CallFacts.none(),
                        situation.spend()));
    }
}
