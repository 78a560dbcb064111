package palyra.policy.internal.set;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What an operator can set about policy sets.
 *
 * @param defaults whether the shipped policies are part of the set
 * @param disabledDefaults ids of shipped policies that are not
 * @param denyOnFailure whether a set that is refused leaves none in force, instead of the last good
 *     one
 */
public record PolicySettings(
        boolean defaults, SortedSet<String> disabledDefaults, boolean denyOnFailure) {
    /** Copies. */
    public PolicySettings {
        disabledDefaults = new TreeSet<>(disabledDefaults);
    }

    /** Returns what holds unless configured. */
    public static PolicySettings standard() {
        return new PolicySettings(true, new TreeSet<>(), false);
    }
}
