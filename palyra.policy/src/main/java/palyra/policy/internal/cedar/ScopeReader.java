package palyra.policy.internal.cedar;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.policy.internal.cedar.json.Json;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/** A scope as it was read; slots are still open. */
record ScopeReader(Part principal, Part action, Part resource) {

    /** One part: its test, or the slot in place of its entity. */
    record Part(ScopeTest test, String slot) {
        ScopeTest fill(Map<String, EntityUid> slots) {
            if (slot.isEmpty()) {
                return test;
            }
            return new ScopeTest(test.kind(), List.of(slots.get(slot)), test.type());
        }
    }

    static ScopeReader of(JsonNode policy, String place) {
        return new ScopeReader(
                part(policy, "principal", place),
                part(policy, "action", place),
                part(policy, "resource", place));
    }

    Set<String> slots() {
        Set<String> slots = new HashSet<>(List.of(principal.slot(), resource.slot()));
        slots.remove("");
        return slots;
    }

    Scope fill(Map<String, EntityUid> slots) {
        return new Scope(principal.fill(slots), action.fill(slots), resource.fill(slots));
    }

    private static Part part(JsonNode policy, String name, String policyPlace) {
        String place = policyPlace + "." + name;
        JsonNode node = Json.required(policy, name, policyPlace);
        String op = Json.text(node, "op", place);
        Part part = form(node, op, place);
        boolean ownSlot = part.slot().isEmpty() || part.slot().equals("?" + name);
        boolean typedAction = name.equals("action") && !part.test().type().isEmpty();
        boolean severalOf =
                part.test().uids().size() != 1 && op.equals("in") && part.slot().isEmpty();
        if (!ownSlot || typedAction || (severalOf && !name.equals("action"))) {
            throw new CedarFormatException(place + ": this form is not possible here.");
        }
        return part;
    }

    private static Part form(JsonNode node, String op, String place) {
        switch (op) {
            case "All", "all" -> {
                Json.keys(node, Set.of("op"), place);
                return new Part(ScopeTest.ANY, "");
            }
            case "==" -> {
                Json.keys(node, Set.of("op", "entity", "slot"), place);
                return target(ScopeTest.Kind.EQUAL, node, "", place);
            }
            case "in" -> {
                Json.keys(node, Set.of("op", "entity", "entities", "slot"), place);
                return target(ScopeTest.Kind.IN, node, "", place);
            }
            case "is" -> {
                Json.keys(node, Set.of("op", "entity_type", "in"), place);
                return typed(node, place);
            }
            default ->
                    throw new CedarFormatException(
                            place + ": the operator \"" + op + "\" is not known in a scope.");
        }
    }

    private static Part typed(JsonNode node, String place) {
        String type = Json.text(node, "entity_type", place);
        if (!EntityUid.isTypeName(type)) {
            throw new CedarFormatException(place + ": \"" + type + "\" is not an entity type.");
        }
        JsonNode in = node.get("in");
        if (in == null) {
            return new Part(new ScopeTest(ScopeTest.Kind.IS, List.of(), type), "");
        }
        Json.keys(in, Set.of("entity", "slot"), place);
        return target(ScopeTest.Kind.IS_IN, in, type, place);
    }

    private static Part target(ScopeTest.Kind kind, JsonNode node, String type, String place) {
        int forms = count(node, "entity") + count(node, "entities") + count(node, "slot");
        if (forms != 1) {
            throw new CedarFormatException(place + ": expected one entity, list or slot.");
        }
        if (node.has("slot")) {
            return new Part(new ScopeTest(kind, List.of(), type), Json.text(node, "slot", place));
        }
        List<EntityUid> uids = new ArrayList<>();
        if (node.has("entity")) {
            uids.add(Json.uid(node.get("entity"), place));
        } else {
            Json.array(node.get("entities"), place).forEach(e -> uids.add(Json.uid(e, place)));
        }
        return new Part(new ScopeTest(kind, uids, type), "");
    }

    private static int count(JsonNode node, String key) {
        return node.has(key) ? 1 : 0;
    }
}
