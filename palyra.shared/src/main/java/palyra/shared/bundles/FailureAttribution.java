package palyra.shared.bundles;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import palyra.shared.bundles.ComponentStates.Key;
import palyra.shared.bundles.ComponentStates.State;

/**
 * Attributes failed components to the bundle that was installed or changed: its own components;
 * those of others that are gone, since only life-cycle operations take a component away and these
 * run one at a time; those that wait for a service which the bundle, or one it is blamed for,
 * offered; those that failed and use such a service. What else fails meanwhile does so by itself.
 */
final class FailureAttribution {
    private final ComponentStates now;
    private final long targetId;
    private final Set<String> offered; // grows by what those offered that are blamed
    private final Set<Key> blamed = new HashSet<>();

    /**
     * Finds out.
     *
     * @param before what worked before the change
     * @param earlier states and uses before the change
     * @param offered types of services that the bundle offers or offered before
     */
    FailureAttribution(
            Set<Key> before,
            ComponentStates earlier,
            ComponentStates now,
            long targetId,
            Set<String> offered) {
        this.now = now;
        this.targetId = targetId;
        this.offered = new HashSet<>(offered);
        boolean more = true;
        while (more) {
            more = false;
            for (Key key : before) {
                if (!blamed.contains(key) && isToBlame(key)) {
                    blamed.add(key);
                    this.offered.addAll(earlier.uses(key).offers());
                    more = true;
                }
            }
        }
    }

    private boolean isToBlame(Key key) {
        State state = now.state(key).orElse(null);
        if (key.bundleId() == targetId || state == null) {
            return true;
        }
        ComponentUses uses = now.uses(key);
        return switch (state) {
            case GOOD, OFF -> false;
            case WAITING -> meet(uses.lacks(), offered);
            case COMING, FAILED -> meet(uses.uses(), offered);
        };
    }

    private static boolean meet(Collection<String> some, Collection<String> others) {
        return !Collections.disjoint(some, others);
    }

    /** Returns whether the bundle answers for what became of a component that worked before. */
    boolean includes(Key key) {
        return blamed.contains(key);
    }

    /** Returns whether the bundle has to do with how another bundle is doing. */
    boolean concerns(long bundleId) {
        return blamed.stream().anyMatch(key -> key.bundleId() == bundleId)
                || now.all().stream()
                        .filter(key -> key.bundleId() == bundleId)
                        .anyMatch(key -> meet(now.uses(key).uses(), offered));
    }
}
