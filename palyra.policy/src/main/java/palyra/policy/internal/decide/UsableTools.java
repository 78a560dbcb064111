package palyra.policy.internal.decide;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tool.ToolDescriptor;
import palyra.policy.internal.cedar.Effect;
import palyra.policy.internal.cedar.Explanation;
import palyra.policy.internal.set.Snapshot;
import palyra.policy.internal.set.Snapshot.Origin;

/**
 * Which tools to offer to a model. Before its input is known there are no facts of a call, so a
 * policy that reads them is taken to say what the call needs; the call itself is decided exactly.
 */
final class UsableTools {
    private static final String FACTS = "facts";

    private UsableTools() {}

    static Set<String> usable(
            Snapshot snapshot, ToolPolicyRequest call, List<ToolDescriptor> tools) {
        ToolPolicyRequest unknown =
                call.withSituation(
                        call.situation().withApproval(false, Set.of()).about(CallFacts.none()));
        Set<String> usable = new TreeSet<>();
        for (ToolDescriptor tool : tools) {
            if (mayBe(snapshot, PolicyRequest.of(unknown.withTool(tool, "{}")))) {
                usable.add(tool.name());
            }
        }
        return usable;
    }

    private static boolean mayBe(Snapshot snapshot, PolicyRequest request) {
        return Decider.withoutMissing(snapshot, request).outcome() != Outcome.DENY
                || couldBe(snapshot, request)
                || couldBe(snapshot, request.withApproval(true));
    }

    private static boolean couldBe(Snapshot snapshot, PolicyRequest request) {
        Explanation explanation = snapshot.evaluator().explain(request.cedarRequest(snapshot));
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
}
