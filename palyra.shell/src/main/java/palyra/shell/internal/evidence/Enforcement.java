package palyra.shell.internal.evidence;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an attestation says was enforced: first the mode, then facts as {@code key=value}; docs/
 * formats.md. Pure.
 *
 * @param mode {@code none}, {@code preflight} or {@code strict}; empty when nothing was executed
 * @param facts by name, in their order
 */
record Enforcement(String mode, Map<String, String> facts) {
    private static final List<String> EGRESS = List.of("network", "egress", "proxy", "hosts");
    private static final List<String> LIMITS =
            List.of(
                    "wall",
                    "cpu",
                    "memory",
                    "mem",
                    "processes",
                    "pids",
                    "file",
                    "files",
                    "output",
                    "scratch",
                    "cgroup",
                    "rlimits",
                    "limits");

    static Enforcement of(String text) {
        Map<String, String> facts = new LinkedHashMap<>();
        String mode = "";
        for (String token : text.strip().split("\\s+", -1)) {
            int equals = token.indexOf('=');
            if (equals > 0) {
                facts.merge(
                        token.substring(0, equals),
                        token.substring(equals + 1),
                        (a, b) -> a + "," + b);
            } else if (mode.isEmpty()) {
                mode = token;
            }
        }
        return new Enforcement(mode, facts);
    }

    /** Returns the facts about the network. */
    Map<String, String> egress() {
        return only(EGRESS, true);
    }

    /** Returns the facts about limits. */
    Map<String, String> limits() {
        return only(LIMITS, true);
    }

    /** Returns all other facts. */
    Map<String, String> posture() {
        Map<String, String> left = new LinkedHashMap<>(facts);
        left.keySet().removeIf(name -> about(EGRESS, name) || about(LIMITS, name));
        return left;
    }

    private Map<String, String> only(List<String> names, boolean wanted) {
        Map<String, String> found = new LinkedHashMap<>(facts);
        found.keySet().removeIf(name -> about(names, name) != wanted);
        return found;
    }

    private static boolean about(List<String> names, String name) {
        return names.stream().anyMatch(each -> name.equals(each) || name.startsWith(each + "."));
    }
}
