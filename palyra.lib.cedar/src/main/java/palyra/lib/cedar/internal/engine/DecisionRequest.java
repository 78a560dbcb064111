package palyra.lib.cedar.internal.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.internal.json.JsonException;
import palyra.lib.cedar.internal.json.JsonReader;

/** Reads a request for a decision and makes of it what native code takes. */
final class DecisionRequest {
    private static final Set<String> MEMBERS =
            Set.of("principal", "action", "resource", "context", "entities", "validateRequest");

    private DecisionRequest() {}

    /** Returns the native request without the keys of the kept sets. */
    static Map<String, Object> read(String json, int limitBytes, boolean hasSchema) {
        if (json.length() > limitBytes) {
            throw refused("it has more than " + limitBytes + " characters");
        }
        Map<?, ?> members = members(json);
        for (Object member : members.keySet()) {
            if (!MEMBERS.contains((String) member)) {
                throw refused("it has a member that is not known");
            }
        }
        Map<String, Object> request = new LinkedHashMap<>();
        for (String name : List.of("principal", "action", "resource")) {
            if (!Entities.isUid(members.get(name))) {
                throw refused(name + " must be an object of type and id, both strings");
            }
            request.put(name, members.get(name));
        }
        request.put("context", context(members));
        request.put("entities", entities(members));
        request.put("validateRequest", validate(members, hasSchema));
        return request;
    }

    private static Map<?, ?> members(String json) {
        try {
            Object value = JsonReader.strict(json).read();
            if (value instanceof Map<?, ?> members) {
                return members;
            }
        } catch (JsonException e) {
            throw refused("at character " + (e.offset() + 1) + ", " + e.getMessage());
        }
        throw refused("it is not a JSON object");
    }

    private static Object context(Map<?, ?> members) {
        Object given = members.containsKey("context") ? members.get("context") : Map.of();
        if (!(given instanceof Map<?, ?> context)) {
            throw refused("context must be an object");
        }
        for (String reserved : List.of("__entity", "__extn", "__expr")) {
            if (context.containsKey(reserved)) {
                throw refused("context itself must not be an escape");
            }
        }
        String problem = Entities.escapeProblem(context);
        if (!problem.isEmpty()) {
            throw refused("in its context, " + problem);
        }
        return context;
    }

    private static Object entities(Map<?, ?> members) {
        Object given = members.containsKey("entities") ? members.get("entities") : List.of();
        if (!(given instanceof List<?> entities)) {
            throw refused("entities must be an array");
        }
        String problem = Entities.problem(entities);
        if (!problem.isEmpty()) {
            throw refused("in its entities, " + problem);
        }
        return entities;
    }

    private static boolean validate(Map<?, ?> members, boolean hasSchema) {
        Object given =
                members.containsKey("validateRequest") ? members.get("validateRequest") : false;
        if (!(given instanceof Boolean validate)) {
            throw refused("validateRequest must be true or false");
        }
        if (validate && !hasSchema) {
            throw refused("it is to be validated, and the policy set has no schema");
        }
        return validate;
    }

    private static CedarException refused(String why) {
        return new CedarException(
                Reason.REFUSED, "A request for a decision was refused: " + why + ".");
    }
}
