package palyra.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.w3c.dom.Element;

/** The table of bundles and the graph of services in docs/architecture.md, from what was built. */
final class HouseMaps {
    static final Path PAGE = BuiltBundle.root().resolve("docs/architecture.md");

    private static final String END = "<!-- end -->";

    /** Rows for what is no module of the build. */
    private static final List<String> OTHER_FOLDERS =
            List.of(
                    row(
                            "examples/policies-team",
                            "Policies of a team, with cases that test them.",
                            ""),
                    row(
                            "examples/skills",
                            "Skills in several languages, and the SDK to write one.",
                            ""),
                    row(
                            "cnf",
                            "Shared build instructions; a bnd workspace over the same tree.",
                            ""));

    private HouseMaps() {}

    /** Writes both maps anew; see scripts/update-maps.sh. */
    public static void main(String[] args) throws IOException {
        Files.writeString(PAGE, current(Files.readString(PAGE), BuiltBundle.all()));
    }

    /** Returns a page with both maps as they should be. */
    static String current(String page, List<BuiltBundle> bundles) throws IOException {
        List<String> graph = new ArrayList<>(List.of("```mermaid"));
        graph.addAll(new ServiceGraph(bundles).mermaid());
        graph.add("```");
        return replaced(replaced(page, "bundles", table(bundles)), "services", graph);
    }

    private static String replaced(String page, String map, List<String> lines) {
        String begin = "<!-- generated: " + map + " -->\n";
        int from = page.indexOf(begin);
        int to = page.indexOf(END, from);
        if (from < 0 || to < 0) {
            throw new IllegalStateException(
                    PAGE + " has no part between \"" + begin.strip() + "\" and \"" + END + "\"");
        }
        String body = String.join("\n", lines);
        return page.substring(0, from + begin.length()) + "\n" + body + "\n\n" + page.substring(to);
    }

    private static List<String> table(List<BuiltBundle> bundles) throws IOException {
        Map<String, BuiltBundle> byFolder =
                bundles.stream()
                        .collect(Collectors.toMap(BuiltBundle::folder, Function.identity()));
        List<String> rows =
                new ArrayList<>(
                        List.of("| folder | what it is for | calls |", "| --- | --- | --- |"));
        Map<String, Set<String>> uses = new ServiceGraph(bundles).uses();
        for (Path module : BuiltBundle.modules()) {
            BuiltBundle bundle = byFolder.get(module.getFileName().toString());
            String purpose =
                    bundle == null ? description(module) : bundle.header("Bundle-Description");
            String calls = bundle == null ? "" : String.join(", ", uses.get(bundle.name()));
            rows.add(row(BuiltBundle.root().relativize(module).toString(), purpose, calls));
        }
        rows.addAll(OTHER_FOLDERS);
        return rows;
    }

    private static String description(Path module) throws IOException {
        Element pom = BuiltBundle.parse(Files.newInputStream(module.resolve("pom.xml")));
        return pom.getElementsByTagName("description").item(0).getTextContent();
    }

    private static String row(String folder, String purpose, String calls) {
        return "| `" + folder + "` | " + purpose + " | " + calls.replace("palyra.", "") + " |";
    }
}
