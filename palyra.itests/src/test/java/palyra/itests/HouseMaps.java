package palyra.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * The table of bundles and the graph of services in docs/architecture.md, from what was built, and
 * the table of packages in docs/api.md, from their sources.
 */
final class HouseMaps {
    static final Path PAGE = BuiltBundle.root().resolve("docs/architecture.md");

    static final Path API_PAGE = BuiltBundle.root().resolve("docs/api.md");

    private static final String END = "<!-- end -->";
    private static final Pattern VERSION =
            Pattern.compile("versioning\\.Version\\(\"([0-9.]+)\"\\)");
    private static final Pattern PURPOSE = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");
    private static final Pattern LINK = Pattern.compile("\\{@(?:link|code) ([^}]*)\\}");

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

    /** Writes all maps anew; see scripts/update-maps.sh. */
    public static void main(String[] args) throws IOException {
        Files.writeString(PAGE, current(Files.readString(PAGE), BuiltBundle.all()));
        Files.writeString(API_PAGE, currentApi(Files.readString(API_PAGE)));
    }

    /** Returns the page of the api with its table as it should be. */
    static String currentApi(String page) throws IOException {
        List<String> rows =
                new ArrayList<>(
                        List.of(
                                "| package | version | for | yours to implement |",
                                "| --- | --- | --- | --- |"));
        for (String module : List.of("palyra.api", "palyra.api.core")) {
            Path sources = BuiltBundle.root().resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                List<Path> packages =
                        files.filter(file -> file.endsWith("package-info.java")).sorted().toList();
                for (Path info : packages) {
                    packageRow(sources, info).ifPresent(rows::add);
                }
            }
        }
        return replaced(page, "packages", rows);
    }

    private static Optional<String> packageRow(Path sources, Path info) throws IOException {
        String text = Files.readString(info);
        Matcher version = VERSION.matcher(text);
        Matcher purpose = PURPOSE.matcher(text);
        if (!version.find() || !purpose.find()) {
            return Optional.empty(); // not exported
        }
        String name = sources.relativize(info.getParent()).toString().replace('/', '.');
        String plain =
                LINK.matcher(purpose.group(1).replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip())
                        .replaceAll(link -> "`" + link.group(1).replaceAll(".*\\.", "") + "`");
        List<String> implemented = new ArrayList<>();
        try (Stream<Path> files = Files.list(info.getParent())) {
            for (Path file : files.sorted().toList()) {
                if (Files.isRegularFile(file)
                        && Files.readString(file).contains("\n@ConsumerType")) {
                    implemented.add("`" + file.getFileName().toString().replace(".java", "") + "`");
                }
            }
        }
        return Optional.of(
                "| `"
                        + name
                        + "` | "
                        + version.group(1)
                        + " | "
                        + plain
                        + " | "
                        + String.join(", ", implemented)
                        + " |");
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
                    "The page has no part between \"" + begin.strip() + "\" and \"" + END + "\"");
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
