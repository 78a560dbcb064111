package palyra.policy.internal.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import palyra.api.command.CommandContext;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.PolicyDecision;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.cedar.Explanation;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.decide.Decider;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.policy.internal.set.Snapshot;

/**
 * A decision with everything that led to it.
 *
 * @param snapshot the set that decided
 * @param answer the compiled engine's
 * @param explanation what each policy said, with the approval as it is
 * @param natively the native engine's decision, or why it gave no decision
 * @param agrees whether both engines say the same; empty when the native one said nothing
 */
record DecisionExplanation(
        Snapshot snapshot,
        PolicyDecision answer,
        Explanation explanation,
        String natively,
        Optional<Boolean> agrees) {

    static DecisionExplanation of(
            Snapshot snapshot, NativeEngineCheck check, PolicyRequest request) {
        PolicyDecision answer = Decider.decide(snapshot, request);
        Explanation explanation = snapshot.evaluator().explain(request.cedarRequest(snapshot));
        try {
            Optional<CedarDecision> word = check.ask(snapshot, request);
            return new DecisionExplanation(
                    snapshot,
                    answer,
                    explanation,
                    word.map(w -> words(w.allowed(), names(snapshot, w.determining())))
                            .orElse("not available: " + check.absence()),
                    word.map(w -> same(w, explanation)));
        } catch (CedarException e) {
            return new DecisionExplanation(
                    snapshot,
                    answer,
                    explanation,
                    "no decision, which counts as a denial: " + e.getMessage(),
                    Optional.of(false));
        }
    }

    private static boolean same(CedarDecision word, Explanation explanation) {
        List<String> ours = explanation.decision().determining().stream().map(Policy::id).toList();
        return word.allowed() == explanation.decision().allowed()
                && new TreeSet<>(word.determining()).equals(new TreeSet<>(ours));
    }

    private static List<String> names(Snapshot snapshot, List<String> ids) {
        return ids.stream()
                .map(
                        id ->
                                Optional.ofNullable(snapshot.origins().get(id))
                                        .map(Snapshot.Origin::name)
                                        .orElse(id))
                .toList();
    }

    private static String words(boolean allowed, List<String> by) {
        return (allowed ? "allow" : "deny") + (by.isEmpty() ? " by default" : " by " + by);
    }

    static String outcome(PolicyDecision answer) {
        return answer.outcome().name().toLowerCase(Locale.ROOT);
    }

    /** Writes it; policies that are about something else only when all are asked for. */
    void write(CommandContext context, boolean all) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("decision", outcome(answer));
        fields.put("reasonCode", answer.reasonCode());
        fields.put("reason", answer.reason());
        fields.put("forOperators", answer.operatorReason());
        fields.put("determinedBy", answer.policyIds());
        fields.put("missing", answer.missing());
        answer.approval().ifPresent(terms -> fields.put("approval", approval(terms)));
        fields.put(
                "confinement",
                "tier "
                        + answer.confinement().tier()
                        + ", egress "
                        + answer.confinement().egress().name().toLowerCase(Locale.ROOT));
        fields.put("policySet", snapshot.view().sha256());
        fields.put(
                "compiledEngine",
                words(
                        explanation.decision().allowed(),
                        explanation.decision().determining().stream()
                                .map(snapshot::name)
                                .toList()));
        fields.put("nativeEngine", natively);
        agrees.ifPresent(same -> fields.put("enginesAgree", same));
        context.output().fields(fields);
        context.output()
                .table(
                        List.of("Policy", "Effect", "Said", "Because", "Place", "Reason"),
                        rows(all));
    }

    private List<List<?>> rows(boolean all) {
        List<List<?>> rows = new ArrayList<>();
        for (Explanation.Entry entry : explanation.entries()) {
            if (all || entry.outcome() != Explanation.Outcome.SCOPE_MISS) {
                Policy policy = entry.policy();
                rows.add(
                        List.of(
                                snapshot.name(policy),
                                ListCommand.effect(policy),
                                said(entry.outcome()),
                                entry.details(),
                                ListCommand.place(snapshot, policy.id()),
                                policy.annotations().getOrDefault("reason", "")));
            }
        }
        return rows;
    }

    private static String said(Explanation.Outcome outcome) {
        return switch (outcome) {
            case SCOPE_MISS -> "not about this";
            case CONDITION_FALSE -> "does not hold";
            case ERROR -> "failed";
            case SATISFIED -> "holds";
        };
    }

    private static Map<String, Object> approval(ApprovalTerms terms) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("approvers", terms.approvers().stream().sorted().toList());
        fields.put("others", terms.others());
        fields.put("ttlMillis", terms.ttlMillis());
        fields.put(
                "scopes",
                terms.scopes().stream()
                        .map(scope -> scope.name().toLowerCase(Locale.ROOT))
                        .sorted()
                        .toList());
        fields.put("quorum", terms.quorum());
        fields.put("remindMillis", terms.reminderMillis());
        fields.put("escalateTo", terms.escalateTo().stream().sorted().toList());
        return fields;
    }
}
