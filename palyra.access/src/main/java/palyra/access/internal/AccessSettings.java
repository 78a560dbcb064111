package palyra.access.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.api.Require;
import palyra.api.core.ops.Finding;

/**
 * The checked form of {@link AccessConfig}.
 *
 * @param localPeers groups of local users other than the gateway's own, by name or number
 * @param findings entries of {@code localPeers} that admit no caller
 * @param certificates whose the client certificates are
 * @param denialsPerSecond how many denials a second get a record of their own
 * @param builtInRules whether the fixed rules decide instead of policies
 * @param tools what tools may be used at all
 */
record AccessSettings(
        Map<String, Set<String>> localPeers,
        List<Finding> findings,
        Certificates certificates,
        int denialsPerSecond,
        boolean builtInRules,
        ToolLimits tools) {
    /** Name of the engine that asks policies. */
    static final String POLICY = "policy";

    /** Name of the engine that uses the fixed rules. */
    static final String BUILT_IN = "builtin";

    AccessSettings {
        localPeers = Map.copyOf(localPeers);
        findings = List.copyOf(findings);
        Require.present(certificates, "certificates");
        Require.present(tools, "tool limits");
        Require.that(
                denialsPerSecond >= 1 && denialsPerSecond <= 1_000,
                "denialsPerSecond is " + denialsPerSecond + ": use 1 to 1000");
    }

    static AccessSettings defaults() {
        return new AccessSettings(
                Map.of(), List.of(), Certificates.none(), 20, false, ToolLimits.none());
    }

    static AccessSettings of(AccessConfig config) {
        List<Finding> findings = new ArrayList<>();
        Map<String, Set<String>> peers = peers(config.localPeers(), findings);
        return new AccessSettings(
                peers,
                findings,
                Certificates.of(config.certificates()),
                config.denialsPerSecond(),
                BUILT_IN.equals(config.engine()),
                ToolLimits.of(config.tools(), config.capabilities()));
    }

    /** An entry that cannot be understood admits no caller and is a finding. */
    static Map<String, Set<String>> peers(String[] entries, List<Finding> findings) {
        Map<String, Set<String>> peers = new TreeMap<>();
        for (String entry : entries == null ? new String[0] : entries) {
            if (entry.isBlank()) {
                continue;
            }
            int at = entry.indexOf('=');
            String user = at < 0 ? "" : entry.substring(0, at).strip();
            List<String> groups =
                    at < 0
                            ? List.of()
                            : List.of(entry.substring(at + 1).strip().split("\\s*,\\s*", -1));
            if (user.isEmpty() || groups.isEmpty() || !BuiltInRules.GROUPS.containsAll(groups)) {
                findings.add(
                        new Finding(
                                Finding.Severity.ERROR,
                                "access",
                                "The entry '"
                                        + entry
                                        + "' of localPeers of palyra.access admits no caller: it is"
                                        + " not a user with groups that exist.",
                                "Write user=group,group with groups of "
                                        + new TreeSet<>(BuiltInRules.GROUPS)
                                        + "."));
            } else {
                peers.put(user, Set.copyOf(groups));
            }
        }
        return peers;
    }
}
