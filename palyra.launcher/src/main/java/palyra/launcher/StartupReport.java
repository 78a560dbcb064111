package palyra.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The start-up report: one line, then one for each part that did not start. */
final class StartupReport {
    /** What a person at the prompt may do next. */
    static final String NEXT =
            "next: ask good morning, or help for all commands; in another terminal: palyra ask good"
                    + " morning\n      exit or Ctrl-D stops the gateway";

    private StartupReport() {}

    /**
     * Endpoints of the gateway.
     *
     * @param endpoints URIs by name
     * @param silent why others do not listen, by name
     */
    record Listening(Map<String, String> endpoints, Map<String, String> silent) {}

    /**
     * Returns the lines.
     *
     * @param notReady why the gateway is not ready, by check; empty when it is
     */
    static List<String> lines(
            Map<String, String> notReady,
            long millis,
            Components components,
            Listening listening,
            Gateway.Started started) {
        List<String> lines = new ArrayList<>();
        lines.add(
                (notReady.isEmpty() ? "palyra up in " : "palyra is NOT ready after ")
                        + millis
                        + " ms: "
                        + components.active()
                        + " components active of "
                        + components.total()
                        + "; listening: "
                        + words(listening.endpoints()));
        notReady.forEach((check, why) -> lines.add("  not ready: " + check + ": " + why));
        listening
                .silent()
                .forEach((name, why) -> lines.add("  not listening: " + name + ": " + why));
        components.problems().forEach(problem -> lines.add("  not active: " + problem));
        started.resolution().broken().forEach(one -> lines.add("  broken: " + one.sentence()));
        started.failures().forEach(failure -> lines.add("  broken: " + failure));
        if (!notReady.isEmpty()) {
            lines.add("  see palyra doctor; this report is repeated once the gateway is ready");
        }
        return lines;
    }

    private static String words(Map<String, String> endpoints) {
        if (endpoints.isEmpty()) {
            return "nowhere yet";
        }
        List<String> each = new ArrayList<>();
        endpoints.forEach((name, uri) -> each.add(name + " " + uri));
        return String.join(", ", each);
    }
}
