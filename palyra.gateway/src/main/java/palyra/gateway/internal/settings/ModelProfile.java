package palyra.gateway.internal.settings;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.Require;

/**
 * Which models an agent's turns are asked of, in which order, and how.
 *
 * @param targets the first is preferred; the others are used when it fails with an error that they
 *     may not have
 * @param contextTokens tokens that a request may have with its answer; 0 means without bound
 * @param maxOutputTokens most tokens of an answer; 0 means the provider's default
 * @param options further parameters, by name
 */
public record ModelProfile(
        String name,
        List<ModelTarget> targets,
        long contextTokens,
        int maxOutputTokens,
        Map<String, String> options)
        implements Setting {
    private static final int MAX_TARGETS = 16;

    /** Checks and copies. */
    public ModelProfile {
        Require.text(name, "name of a model profile");
        targets = List.copyOf(targets);
        Require.that(
                !targets.isEmpty() && targets.size() <= MAX_TARGETS,
                "model profile '" + name + "' has " + targets.size() + " targets; give 1 to 16");
        Require.that(
                new HashSet<>(targets).size() == targets.size(),
                "model profile '" + name + "' names a target twice; name each once");
        Require.that(
                contextTokens >= 0 && maxOutputTokens >= 0,
                "model profile '" + name + "': numbers of tokens are at least 0");
        Require.that(
                contextTokens == 0 || maxOutputTokens < contextTokens,
                "model profile '"
                        + name
                        + "': maxOutputTokens is not below contextTokens, so nothing could be"
                        + " asked");
        options = Map.copyOf(options);
    }

    /** Reads options of the form {@code name=value}. */
    static Map<String, String> options(String... given) {
        Map<String, String> options = new TreeMap<>();
        for (String option : given) {
            int at = option.indexOf('=');
            Require.that(
                    at > 0 && option.substring(0, at).matches("[A-Za-z0-9._-]{1,64}"),
                    "option '"
                            + (option.length() <= 60 ? option : option.substring(0, 60) + "…")
                            + "' is not usable: it is name=value, such as temperature=0.2");
            Require.that(
                    options.put(option.substring(0, at), option.substring(at + 1)) == null,
                    "option " + option.substring(0, at) + " is given twice");
        }
        return options;
    }
}
