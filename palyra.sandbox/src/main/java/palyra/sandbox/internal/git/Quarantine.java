package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Protected names of a workspace at which nothing was: what commands make there is renamed, within
 * its folder, and no link is followed. Stateless.
 */
final class Quarantine {
    /** End of the names that are given. */
    static final String SUFFIX = ".quarantined";

    private Quarantine() {}

    /** Returns whether a name was given here, or is like one. */
    static boolean isOne(String name) {
        return name.endsWith(SUFFIX) || name.contains(SUFFIX + "-");
    }

    /** Returns what identifies each of some names at which something is; links themselves. */
    static Map<String, String> present(Path workspace, Collection<String> names) {
        Map<String, String> present = new TreeMap<>();
        for (String name : names) {
            try {
                Object key =
                        Files.readAttributes(
                                        workspace.resolve(name),
                                        BasicFileAttributes.class,
                                        LinkOption.NOFOLLOW_LINKS)
                                .fileKey();
                present.put(name, String.valueOf(key));
            } catch (IOException e) {
                continue; // nothing is there
            }
        }
        return present;
    }

    /** Returns those of some names, relative to the workspace, at which nothing is. */
    static Set<String> absent(Path workspace, Collection<String> names) {
        Set<String> absent = new TreeSet<>();
        for (String name : names) {
            Path path = workspace.resolve(name);
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.exists(path)) {
                absent.add(name);
            }
        }
        return absent;
    }

    /**
     * Renames what is at a name; a link by which it is reached, if it is reached by one.
     *
     * @return its new name, relative to the workspace; empty when nothing is there
     */
    static Optional<String> setAside(Path workspace, String name) throws IOException {
        Path path = Path.of(name);
        for (int names = 1; names < path.getNameCount(); names++) {
            if (Files.isSymbolicLink(workspace.resolve(path.subpath(0, names)))) {
                return renamed(workspace, path.subpath(0, names));
            }
        }
        return renamed(workspace, path);
    }

    private static Optional<String> renamed(Path workspace, Path path) throws IOException {
        String last = path.getFileName().toString();
        String above = path.getParent() == null ? "" : path.getParent().toString();
        try (GitFolder folder = GitFolder.open(workspace, above)) {
            if (folder.attributes(last).isEmpty()) {
                return Optional.empty();
            }
            String free = folder.rename(last, last + SUFFIX);
            return Optional.of(above.isEmpty() ? free : above + "/" + free);
        }
    }
}
