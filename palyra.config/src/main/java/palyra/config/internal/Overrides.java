package palyra.config.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import palyra.shared.hash.Digests;

/**
 * Settings of the start, one {@code PID:key=value} per line.
 *
 * @param sources one for each PID
 * @param problems lines that are not of that form
 */
record Overrides(List<Source> sources, List<Problem> problems) {
    Overrides {
        sources = List.copyOf(sources);
        problems = List.copyOf(problems);
    }

    /**
     * Parses lines; null or blank means no settings. The last of several values for one key wins.
     */
    static Overrides parse(String lines) {
        Map<Target, Map<String, String>> settings = new LinkedHashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (String line : lines == null ? List.<String>of() : lines.lines().toList()) {
            if (!line.isBlank() && !take(line, settings)) {
                problems.add(malformed(line));
            }
        }
        return new Overrides(
                settings.entrySet().stream().map(e -> source(e.getKey(), e.getValue())).toList(),
                problems);
    }

    private static boolean take(String line, Map<Target, Map<String, String>> settings) {
        int colon = line.indexOf(':');
        int equals = line.indexOf('=', Math.max(colon, 0));
        if (colon < 1 || equals < colon + 2) {
            return false;
        }
        Optional<Target> target = Target.parse(line.substring(0, colon).strip());
        target.ifPresent(
                t ->
                        settings.computeIfAbsent(t, x -> new TreeMap<>())
                                .put(
                                        line.substring(colon + 1, equals).strip(),
                                        line.substring(equals + 1)));
        return target.isPresent();
    }

    /** Does not show the value, which may be a secret. */
    private static Problem malformed(String line) {
        int end = line.indexOf('=');
        String shown = (end < 0 ? "" : line.substring(0, end)).replaceAll("\\p{Cntrl}", "?");
        return Problem.error(
                "",
                "--set " + shown + ": the form is PID:key=value.",
                "Start again with, for example, --set palyra.health:anonymousMetrics=false.");
    }

    private static Source source(Target target, Map<String, String> settings) {
        return new Source(
                new Source.Id(Layer.OVERRIDE, target.toString()),
                target,
                Digests.sha256Hex(new TreeMap<>(settings).toString()),
                new Source.Texts(settings));
    }
}
