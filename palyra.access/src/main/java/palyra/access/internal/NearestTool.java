package palyra.access.internal;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import palyra.shared.text.Nearest;

/** Finds the tool that a model probably meant. Stateless. */
final class NearestTool {
    /** Names of tools of other gateways for lines of shell. */
    private static final Set<String> SHELLS =
            Set.of("bash", "sh", "zsh", "cmd", "exec", "terminal", "powershell");

    private NearestTool() {}

    /**
     * Returns {@code " (did you mean X?)"}, or an empty text when no tool is near. The last word of
     * a name counts, as models often get the part before it wrong.
     */
    static String hint(String given, Collection<String> tools) {
        String last = given.substring(given.lastIndexOf('.') + 1);
        String word = SHELLS.contains(last) ? "shell" : last;
        TreeSet<String> sorted = new TreeSet<>(tools); // the same answer each time
        return sorted.stream()
                .filter(name -> name.endsWith("." + word))
                .findFirst()
                .or(() -> Nearest.to(given, sorted))
                .map(name -> " (did you mean " + name + "?)")
                .orElse("");
    }
}
