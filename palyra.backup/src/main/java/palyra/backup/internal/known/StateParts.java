package palyra.backup.internal.known;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The folders whose files decide what the gateway does. Stateless. */
final class StateParts {
    /** Folders with the ends of the names that count there: no leftovers of editors. */
    private static final Map<String, List<String>> FOLDERS =
            Map.of(
                    "conf", List.of(".json"),
                    "deploy", List.of(".jar", ".json"),
                    "policies", List.of(".cedar", ".cedarschema", ".json"),
                    "skills/artifacts", List.of(".palyra-skill"),
                    "tls", List.of(".pem", ".key"));

    private StateParts() {}

    static SortedMap<String, SortedSet<String>> of(Path state) throws IOException {
        SortedMap<String, SortedSet<String>> parts = new TreeMap<>();
        for (Map.Entry<String, List<String>> each : FOLDERS.entrySet()) {
            parts.put(each.getKey(), names(state.resolve(each.getKey()), each.getValue()));
        }
        return parts;
    }

    private static SortedSet<String> names(Path folder, List<String> ends) throws IOException {
        SortedSet<String> names = new TreeSet<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            for (Path file : found) {
                String name = file.getFileName().toString();
                if (!name.startsWith(".") && ends.stream().anyMatch(name::endsWith)) {
                    names.add(name);
                    if (names.size() > Known.MOST_NAMES) {
                        names.removeLast();
                    }
                }
            }
        } catch (NoSuchFileException e) {
            return names;
        }
        return names;
    }
}
