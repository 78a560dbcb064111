package palyra.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The start-up line and the lines of what did not start, as text. */
final class StartupReport {
    private StartupReport() {}

    static List<String> lines(
            boolean ready,
            long millis,
            Components components,
            Map<String, String> endpoints,
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
                        + listening(endpoints));
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

    private static String listening(Map<String, String> endpoints) {
        if (endpoints.isEmpty()) {
            return "nowhere yet";
        }
        List<String> each = new ArrayList<>();
        endpoints.forEach((name, uri) -> each.add(name + " " + uri));
        return String.join(", ", each);
    }
}
