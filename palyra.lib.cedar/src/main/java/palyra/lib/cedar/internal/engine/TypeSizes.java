package palyra.lib.cedar.internal.engine;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.lib.cedar.PolicySetLimits;

/**
 * How large a schema becomes when Cedar writes out each common type where it is used: thirty types
 * that each use the one before twice are 2^30 types.
 */
final class TypeSizes {
    /** How many common types may stand in each other; a bound for recursion too. */
    private static final int CHAIN = 200;

    private final Map<String, List<String>> uses;
    private final Map<String, Long> sizes = new HashMap<>();
    private final Set<String> open = new HashSet<>();

    /** Takes, for each common type by its full name, the full names that its body uses. */
    TypeSizes(Map<String, List<String>> uses) {
        this.uses = uses;
    }

    /**
     * Returns 1 for a type that is not a common type. Cycles count once; native code reports them.
     */
    long size(String name) {
        Long known = sizes.get(name);
        if (known != null) {
            return known;
        }
        List<String> body = uses.get(name);
        if (body == null || open.contains(name)) {
            return 1;
        }
        if (open.size() >= CHAIN) {
            return PolicySetLimits.STANDARD.types() + 1;
        }
        open.add(name);
        long size = 1;
        for (String used : body) {
            size = Math.min(size + size(used), PolicySetLimits.STANDARD.types() + 1);
        }
        open.remove(name);
        sizes.put(name, size);
        return size;
    }

    /** Returns the full name of {@code used} inside {@code namespace}. */
    static String resolve(String namespace, String used, Set<String> defined) {
        String inside = namespace.isEmpty() ? used : namespace + "::" + used;
        return defined.contains(inside) ? inside : used;
    }
}
