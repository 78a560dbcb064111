package palyra.policy.internal.set;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import palyra.policy.internal.cedar.Effect;
import palyra.policy.internal.cedar.Policy;

/** What a new set no longer forbids. Stateless. */
final class Protection {
    private Protection() {}

    /**
     * Returns the forbids of {@code inForce} that {@code candidate} lacks, as people know them. One
     * with an {@code @id} is there if a forbid of that id is; one without if a forbid of the same
     * text is. Losing every policy is a loss by itself.
     */
    static List<String> lost(Snapshot inForce, Snapshot candidate) {
        Set<String> keys = new HashSet<>();
        for (Policy policy : candidate.policies().policies()) {
            if (policy.effect() == Effect.FORBID) {
                keys.add(key(candidate, policy));
                keys.add(text(candidate, policy));
            }
        }
        List<String> lost = new ArrayList<>();
        for (Policy policy : inForce.policies().policies()) {
            if (policy.effect() == Effect.FORBID && !keys.contains(key(inForce, policy))) {
                lost.add(inForce.name(policy));
            }
        }
        boolean emptied =
                candidate.policies().policies().isEmpty()
                        && !inForce.policies().policies().isEmpty();
        if (emptied && lost.isEmpty()) {
            lost.add("all policies");
        }
        return lost;
    }

    private static String key(Snapshot set, Policy policy) {
        return named(policy) ? "id " + policy.annotations().get("id") : text(set, policy);
    }

    private static boolean named(Policy policy) {
        return !policy.annotations().getOrDefault("id", "").isEmpty();
    }

    private static String text(Snapshot set, Policy policy) {
        Snapshot.Origin origin = set.origins().get(policy.id());
        return "text " + (origin == null ? policy.id() : origin.text().strip());
    }
}
