package palyra.api.core.tools;

import java.util.Set;
import palyra.api.Require;

/**
 * What calls have in common that a person may allow together. A later call is covered when its own
 * pattern has the same {@code fixed} and no option or host that this one has not; see {@link
 * #covers}. Fields in neither are free, so an executor offers a pattern only where nothing that is
 * left free can do harm.
 *
 * @param sentence the covered calls, in one sentence for a user
 * @param fixed everything that must be equal, as canonical JSON: program and its digest, the name
 *     it is called by, working folder, sub-command
 * @param options options with their values, as they may occur
 * @param hosts hosts that may be reached
 */
public record CallPattern(String sentence, String fixed, Set<String> options, Set<String> hosts) {
    /** Checks and copies. */
    public CallPattern {
        Require.text(sentence, "sentence");
        Require.text(fixed, "fixed part");
        options = Set.copyOf(options);
        hosts = Set.copyOf(hosts);
    }

    /** Returns whether a call with the pattern {@code later} is covered. */
    public boolean covers(CallPattern later) {
        return fixed.equals(later.fixed)
                && options.containsAll(later.options)
                && hosts.containsAll(later.hosts);
    }
}
