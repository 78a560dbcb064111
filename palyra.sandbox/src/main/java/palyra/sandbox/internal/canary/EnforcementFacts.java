package palyra.sandbox.internal.canary;

import java.util.HashMap;
import java.util.Map;
import palyra.api.core.access.Confinement.Tier;

/**
 * What a sandbox says that it enforces, and so what a canary may hold it to.
 *
 * @param tier its tier
 * @param values the {@code key=value} facts of its enforcement string
 */
record EnforcementFacts(Tier tier, Map<String, String> values) {
    /** Landlock's version since which TCP ports can be restricted, see landlock(7). */
    private static final int LANDLOCK_TCP = 4;

    /** Landlock's version since which signals can be restricted. */
    private static final int LANDLOCK_SIGNALS = 6;

    EnforcementFacts {
        values = Map.copyOf(values);
    }

    static EnforcementFacts of(Tier tier, String enforcement) {
        Map<String, String> values = new HashMap<>();
        for (String fact : enforcement.split(" ", -1)) {
            int equals = fact.indexOf('=');
            if (equals > 0) {
                values.put(fact.substring(0, equals), fact.substring(equals + 1));
            }
        }
        return new EnforcementFacts(tier, values);
    }

    private int landlock() {
        String version = values.getOrDefault("landlock", "0");
        return version.matches("[0-9]{1,6}") ? Integer.parseInt(version) : 0;
    }

    /** Namespaces keep files away, or Landlock does. */
    boolean files() {
        return tier == Tier.C || landlock() > 0;
    }

    /** Namespaces keep processes apart, or Landlock does. */
    boolean signals() {
        return tier == Tier.C || landlock() >= LANDLOCK_SIGNALS;
    }

    /** In modes that share the network of the host, only Landlock keeps single ports away. */
    boolean ports() {
        return landlock() >= LANDLOCK_TCP;
    }

    /** What keeps the kernel's privileged parts away. */
    boolean kernel() {
        return tier == Tier.C || values.getOrDefault("seccomp", "").startsWith("sha256:");
    }
}
