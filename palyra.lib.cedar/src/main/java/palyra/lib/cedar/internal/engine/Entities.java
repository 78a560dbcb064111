package palyra.lib.cedar.internal.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.lib.cedar.PolicySetLimits;

/**
 * Checks of entities and contexts that need no native code. Messages hold nothing of the values.
 */
final class Entities {
    private static final Set<String> FUNCTIONS =
            Set.of("ip", "decimal", "datetime", "duration", "offset");

    private Entities() {}

    /** Returns the problem of a list of entities; empty if it is valid. */
    static String problem(List<?> entities) {
        if (entities.size() > PolicySetLimits.STANDARD.entities()) {
            return "there are more than " + PolicySetLimits.STANDARD.entities() + " entities";
        }
        for (Object entity : entities) {
            String escape = escapeProblem(entity);
            if (!escape.isEmpty()) {
                return escape;
            }
        }
        return ancestors(entities) > PolicySetLimits.STANDARD.ancestors()
                ? "the entities have more than "
                        + PolicySetLimits.STANDARD.ancestors()
                        + " ancestors together"
                : "";
    }

    /** Returns the problem of reserved members below a value; empty if it is valid. */
    static String escapeProblem(Object value) {
        if (value instanceof Map<?, ?> members) {
            if (members.containsKey("__entity")) {
                return entityEscape(members);
            }
            if (members.containsKey("__extn")) {
                return extensionEscape(members);
            }
            if (members.containsKey("__expr")) {
                return "__expr is not accepted";
            }
            return below(members.values());
        }
        return value instanceof List<?> items ? below(items) : "";
    }

    private static String below(Iterable<?> values) {
        for (Object value : values) {
            String problem = escapeProblem(value);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        return "";
    }

    private static String entityEscape(Map<?, ?> members) {
        boolean fits = members.size() == 1 && isUid(members.get("__entity"));
        return fits ? "" : "__entity must be the only member and hold type and id, both strings";
    }

    static boolean isUid(Object value) {
        return value instanceof Map<?, ?> uid
                && uid.size() == 2
                && uid.get("type") instanceof String
                && uid.get("id") instanceof String;
    }

    private static String extensionEscape(Map<?, ?> members) {
        String form =
                "__extn must be the only member and hold fn, one of ip, decimal, datetime, duration and"
                        + " offset, and arg or args";
        if (members.size() != 1
                || !(members.get("__extn") instanceof Map<?, ?> call)
                || call.size() != 2
                || !(call.get("fn") instanceof String function)
                || !FUNCTIONS.contains(function)) {
            return form;
        }
        if (call.get("arg") instanceof String) {
            return "";
        }
        if (call.containsKey("arg")) {
            return escapeProblem(call.get("arg"));
        }
        return call.get("args") instanceof List<?> arguments ? below(arguments) : form;
    }

    private static long ancestors(List<?> entities) {
        Map<String, Integer> numbers = new HashMap<>();
        for (Object entity : entities) {
            if (entity instanceof Map<?, ?> members) {
                numbers.putIfAbsent(key(members.get("uid")), numbers.size());
            }
        }
        return new Ancestors(numbers, entities).count();
    }

    static String key(Object uid) {
        if (uid instanceof Map<?, ?> members) {
            Object inner = members.containsKey("__entity") ? members.get("__entity") : members;
            return inner instanceof Map<?, ?> named
                    ? named.get("type") + "\u0000" + named.get("id")
                    : "";
        }
        return "";
    }
}
