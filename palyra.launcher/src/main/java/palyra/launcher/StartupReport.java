package palyra.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The start-up line and the lines of what did not start, as text. */
final class StartupReport {
    private StartupReport() {}

    /**
     * Where the gateway listens.
     *
     * @param endpoints URIs by name
     * @param silent why others do not listen, by name
     */
    record Listening(Map<String, String> endpoints, Map<String, String> silent) {}

    static List<String> lines(
            boolean ready,
            long millis,
            Components components,
            Listening listening,
            Gateway.Started started) {
        List<String> lines = new ArrayList<>();
        lines.add(
                (ready ? "palyra up in " : "palyra is NOT ready after ")
                        + millis
                        + " ms: "
                        + components.active()
                        + " components active of "
                        + components.total()
                        + "; listening: "
                        + words(listening.endpoints()));
        listening
                .silent()
                .forEach((name, why) -> lines.add("  not listening: " + name + ": " + why));
        components.problems().forEach(problem -> lines.add("  not active: " + problem));
        started.resolution().broken().forEach(one -> lines.add("  broken: " + one.sentence()));
        started.failures().forEach(failure -> lines.add("  broken: " + failure));
        if (!ready) {
            lines.add(
                    "  no service says palyra.ready=true; ./palyra doctor tells more once commands"
                            + " are listened for");
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
