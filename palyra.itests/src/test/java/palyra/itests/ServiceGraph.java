package palyra.itests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which bundle calls which, by the services that they offer and refer to. */
final class ServiceGraph {
    /** Any bundle may offer these and one collects them: no order follows from it. */
    private static final Set<String> CONTRIBUTIONS =
            Set.of(
                    "palyra.api.command.Command",
                    "palyra.api.core.ops.Endpoint",
                    "palyra.api.core.ops.FindingSource",
                    "palyra.api.core.ops.LoopSource",
                    "palyra.api.core.ops.MetricSource",
                    "palyra.api.core.ops.Readiness");

    /** These are asked to do work, so there is an order, but bundles of others offer them too. */
    private static final Set<String> OPEN =
            Set.of(
                    "palyra.api.core.sandbox.SandboxBackend",
                    "palyra.api.model.ModelProvider",
                    "palyra.api.tool.Tool");

    /** Offered from above to who stands at the bottom, and needed only where keys are sealed. */
    private static final String SEAL = "palyra.api.core.keys.BootSeal";

    private final List<BuiltBundle> bundles;

    ServiceGraph(List<BuiltBundle> bundles) {
        this.bundles = bundles;
    }

    /** Returns for each bundle the others whose services it uses; contributions do not count. */
    Map<String, Set<String>> uses() {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (BuiltBundle user : bundles) {
            Set<String> used = new TreeSet<>();
            for (String service : user.referenced()) {
                if (!CONTRIBUTIONS.contains(service) && !service.equals(SEAL)) {
                    used.addAll(providers(service));
                }
            }
            used.remove(user.name());
            uses.put(user.name(), used);
        }
        return uses;
    }

    private Set<String> providers(String service) {
        Set<String> names = new TreeSet<>();
        for (BuiltBundle bundle : bundles) {
            if (service.startsWith("palyra.") && bundle.provided().contains(service)) {
                names.add(bundle.name());
            }
        }
        return names;
    }

    /**
     * Returns the graph in the language of Mermaid. An arrow that a longer way implies is left out.
     * A dotted one is a contribution, what bundles of others offer, or the seal.
     */
    List<String> mermaid() {
        List<String> lines = new ArrayList<>(List.of("graph TD"));
        Map<String, Set<String>> uses = uses();
        uses.forEach(
                (user, used) -> {
                    Set<String> drawn = new TreeSet<>(used);
                    used.forEach(next -> drawn.removeAll(reached(next, uses)));
                    drawn.forEach(next -> lines.add("  " + node(user) + " --> " + node(next)));
                });
        for (BuiltBundle user : bundles) {
            user.referenced().forEach(service -> lines.addAll(dotted(service, user.name())));
        }
        return lines;
    }

    private static Set<String> reached(String from, Map<String, Set<String>> uses) {
        Set<String> all = new TreeSet<>();
        for (String next : uses.get(from)) {
            all.add(next);
            all.addAll(reached(next, uses));
        }
        return all;
    }

    private List<String> dotted(String service, String user) {
        String name = service.substring(service.lastIndexOf('.') + 1);
        if (service.equals(SEAL)) {
            return providers(service).stream()
                    .map(p -> "  " + node(user) + " -. " + name + " .-> " + node(p))
                    .toList();
        }
        return CONTRIBUTIONS.contains(service) || OPEN.contains(service)
                ? List.of("  " + name + "([" + name + " of any bundle]) -.-> " + node(user))
                : List.of();
    }

    private static String node(String bundle) {
        return bundle.substring("palyra.".length()).replace('.', '_') + "[" + bundle + "]";
    }
}
