package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.PolicySetLimits;

/** The bounds that hold for schemas in both languages. */
final class SchemaBounds {
    private SchemaBounds() {}

    /**
     * Returns the problem; empty if the schema is valid.
     *
     * @param bodies common types by full name, and the names that their bodies use as written
     * @param uses pairs of namespace and name as written, outside of common types
     * @param declarations entity types and actions
     * @param combinations triples of action, principal type and resource type
     */
    static String problem(
            Map<String, List<String>> bodies,
            List<String[]> uses,
            long declarations,
            long combinations) {
        if (declarations > PolicySetLimits.STANDARD.declarations()) {
            return "the schema declares more than "
                    + PolicySetLimits.STANDARD.declarations()
                    + " entity types and actions";
        }
        if (combinations > PolicySetLimits.STANDARD.combinations()) {
            return "the actions of the schema apply to more than "
                    + PolicySetLimits.STANDARD.combinations()
                    + " combinations of principal and resource types";
        }
        return types(bodies, uses) > PolicySetLimits.STANDARD.types()
                ? "the common types of the schema use each other so often that written out they"
                        + " are more than "
                        + PolicySetLimits.STANDARD.types()
                        + " types"
                : "";
    }

    private static long types(Map<String, List<String>> bodies, List<String[]> uses) {
        Map<String, List<String>> resolved = new HashMap<>();
        bodies.forEach(
                (type, body) -> {
                    int end = type.lastIndexOf("::");
                    String namespace = end < 0 ? "" : type.substring(0, end);
                    List<String> names = new ArrayList<>();
                    body.forEach(
                            used -> names.add(TypeSizes.resolve(namespace, used, bodies.keySet())));
                    resolved.put(type, names);
                });
        TypeSizes sizes = new TypeSizes(resolved);
        long all = 0;
        for (String type : bodies.keySet()) {
            all = Math.min(all + sizes.size(type), PolicySetLimits.STANDARD.types() + 1);
        }
        for (String[] use : uses) {
            String name = TypeSizes.resolve(use[0], use[1], bodies.keySet());
            all = Math.min(all + sizes.size(name), PolicySetLimits.STANDARD.types() + 1);
        }
        return all;
    }
}
