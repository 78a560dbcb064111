package palyra.sandbox.internal.guard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import palyra.sandbox.internal.guard.GuardRule.Column;

/**
 * Where a path that a command names would lead, as path_resolution(7) says: from left to right,
 * links followed, {@code ..} taken from where the link led. Links are followed within the workspace
 * only; paths elsewhere are checked by name. Not thread-safe.
 */
final class PathBounds {
    /** What programs read to run at all; the same on every host, so that verdicts are. */
    private static final Set<String> SYSTEM = GuardRule.names(Column.READABLE, "tree");

    private static final Set<String> DEVICES = GuardRule.names(Column.READABLE, "file");

    private static final int MAX_LINKS = 40; // as the kernel

    private final List<String> workspace;
    private final List<List<String>> readable;
    private final LinkCache links;

    PathBounds(String workspace, List<String> readOnlyPaths, LinkCache links) {
        this.workspace = names(workspace);
        this.readable =
                Stream.concat(SYSTEM.stream(), readOnlyPaths.stream())
                        .map(PathBounds::normalized)
                        .filter(path -> !path.isEmpty())
                        .toList();
        this.links = links;
    }

    /**
     * Where a path leads.
     *
     * @param path absolute, without {@code .}, {@code ..} or links of the workspace
     * @param inside whether that is the workspace or something that may be read
     */
    record Place(String path, boolean inside) {}

    /**
     * Follows a path from a folder, which is ignored when the path is absolute. A relative path
     * that leaves the workspace on its way is outside, although it might come back.
     */
    Place follow(String folder, String text) {
        boolean absolute = text.startsWith("/");
        List<String> at = new ArrayList<>(absolute ? List.of() : names(folder));
        Deque<String> todo = new ArrayDeque<>(names(text));
        int linksLeft = MAX_LINKS;
        while (!todo.isEmpty()) {
            String name = todo.pop();
            if (name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                if (!at.isEmpty()) {
                    at.remove(at.size() - 1);
                }
                if (!absolute && !starts(at, workspace)) {
                    return new Place(joined(at), false);
                }
                continue;
            }
            at.add(name);
            Optional<String> target =
                    starts(at, workspace) ? links.target(joined(at)) : Optional.empty();
            if (target.isPresent()) {
                if (linksLeft-- == 0) {
                    return new Place(joined(at), false);
                }
                at.remove(at.size() - 1);
                if (target.get().startsWith("/")) {
                    at.clear();
                }
                List<String> way = names(target.get());
                for (int i = way.size() - 1; i >= 0; i--) {
                    todo.push(way.get(i));
                }
            }
        }
        return new Place(joined(at), isInside(at));
    }

    /** Whether an absolute path is in the workspace, by its name alone. */
    boolean isInWorkspace(String path) {
        return starts(names(path), workspace);
    }

    /**
     * Whether the place {@code longer} is outside only because more text follows the inside place
     * {@code shorter}, as in a list of paths, and the name that leads it out is no file.
     */
    boolean isOnlyLonger(String shorter, String longer) {
        List<String> first = names(shorter);
        List<String> second = names(longer);
        int last = first.size() - 1;
        return last >= 0
                && second.size() > last
                && second.subList(0, last).equals(first.subList(0, last))
                && second.get(last).startsWith(first.get(last))
                && !LinkCache.exists(joined(second.subList(0, last + 1)));
    }

    private boolean isInside(List<String> path) {
        return starts(path, workspace)
                || readable.stream().anyMatch(root -> starts(path, root))
                || isDevice(joined(path));
    }

    /** Whether an absolute path is that of a device which every command may use. */
    static boolean isDevice(String path) {
        return DEVICES.contains(path) || path.matches("/dev/fd(/[0-9]{1,4})?");
    }

    private static boolean starts(List<String> path, List<String> root) {
        return path.size() >= root.size() && path.subList(0, root.size()).equals(root);
    }

    private static List<String> normalized(String path) {
        List<String> names = new ArrayList<>();
        for (String name : names(path)) {
            if (name.equals("..") && !names.isEmpty()) {
                names.remove(names.size() - 1);
            } else if (!name.equals(".") && !name.equals("..")) {
                names.add(name);
            }
        }
        return names;
    }

    private static List<String> names(String path) {
        return Arrays.stream(path.split("/")).filter(name -> !name.isEmpty()).toList();
    }

    private static String joined(List<String> names) {
        return "/" + String.join("/", names);
    }
}
