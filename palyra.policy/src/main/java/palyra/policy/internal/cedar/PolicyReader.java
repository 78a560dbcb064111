package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/** Reads one policy or template. The conditions are compiled once for all links. */
final class PolicyReader {
    private static final Set<String> KEYS =
            Set.of("effect", "principal", "action", "resource", "conditions", "annotations");

    private final PolicySetLimits limits;

    PolicyReader(PolicySetLimits limits) {
        this.limits = limits;
    }

    /** A policy whose slots, if it has any, are still open. */
    record Template(
            String place,
            Effect effect,
            Map<String, String> annotations,
            ScopeReader scope,
            List<Conjunct> conjuncts) {

        /**
         * @param templateId null for a static policy
         * @param slots the value of each slot by its name; must be exactly the slots there are
         */
        Policy link(int order, String id, String templateId, Map<String, EntityUid> slots) {
            if (!slots.keySet().equals(scope.slots())) {
                throw new CedarFormatException(
                        "policy %s: the slots given are %s, needed are %s."
                                .formatted(id, slots.keySet(), scope.slots()));
            }
            return new Policy(
                    order, id, templateId, effect, annotations, scope.fill(slots), conjuncts);
        }
    }

    Template read(JsonNode node, String place) {
        Json.keys(node, KEYS, place);
        return new Template(
                place,
                effect(Json.text(node, "effect", place), place),
                annotations(node.path("annotations"), place),
                ScopeReader.of(node, place),
                conjuncts(node.path("conditions"), place));
    }

    private static Effect effect(String text, String place) {
        return switch (text) {
            case "permit" -> Effect.PERMIT;
            case "forbid" -> Effect.FORBID;
            default ->
                    throw new CedarFormatException(
                            place + ": the effect \"" + text + "\" is neither permit nor forbid.");
        };
    }

    private static Map<String, String> annotations(JsonNode node, String place) {
        Map<String, String> annotations = new LinkedHashMap<>();
        if (!node.isMissingNode()) {
            for (Map.Entry<String, JsonNode> entry : Json.object(node, place + ".annotations")) {
                JsonNode value = entry.getValue();
                annotations.put(entry.getKey(), value.isNull() ? "" : Json.text(value, place));
            }
        }
        return annotations;
    }

    private List<Conjunct> conjuncts(JsonNode conditions, String place) {
        List<Conjunct> conjuncts = new ArrayList<>();
        if (!conditions.isMissingNode()) {
            ExprCompiler compiler = new ExprCompiler(limits, place);
            for (JsonNode condition : Json.array(conditions, place + ".conditions")) {
                Json.keys(condition, Set.of("kind", "body"), place + ".conditions");
                boolean when = isWhen(Json.text(condition, "kind", place), place);
                JsonNode body = Json.required(condition, "body", place);
                for (JsonNode part : compiler.chain(when ? "&&" : "||", body)) {
                    conjuncts.add(
                            new Conjunct(compiler.compile(part), when, EstPrinter.print(part)));
                }
            }
        }
        return conjuncts;
    }

    private static boolean isWhen(String kind, String place) {
        return switch (kind) {
            case "when" -> true;
            case "unless" -> false;
            default ->
                    throw new CedarFormatException(
                            place + ": a condition is when or unless, not \"" + kind + "\".");
        };
    }
}
