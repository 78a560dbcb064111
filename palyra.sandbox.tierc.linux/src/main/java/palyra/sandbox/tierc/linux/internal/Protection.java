package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.shared.confine.Refusals;
import palyra.shared.confine.SystemPaths;

/**
 * How protected paths of a workspace are kept as they are: each becomes a read-only mount, and each
 * folder above it a mount of its own, because the kernel renames a folder with a mount somewhere
 * below it, but never a mount. What does not exist is kept from being made.
 */
final class Protection implements AutoCloseable {
    private final Placeholders placeholders;
    private final List<Path> held = new ArrayList<>();
    private final Set<Path> pinned = new TreeSet<>();
    private final Set<Path> readOnly = new TreeSet<>();

    private Protection(Placeholders placeholders) {
        this.placeholders = placeholders;
    }

    /** Works out mounts, and makes what they need. Close it when the command has ended. */
    static Protection of(String workspace, List<String> paths, Placeholders placeholders) {
        Protection protection = new Protection(placeholders);
        try {
            for (String path : paths) {
                protection.protect(Path.of(workspace), checked(path));
            }
            return protection;
        } catch (RuntimeException e) {
            protection.close();
            throw e;
        }
    }

    /** Refuses a list that {@link #of} would refuse, and makes nothing. */
    static void check(String workspace, List<String> paths) {
        for (String path : paths) {
            Path at = Path.of(workspace);
            for (Path name : checked(path)) {
                at = at.resolve(name);
                refuseLink(at);
            }
        }
    }

    private static Path checked(String text) {
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException e) {
            throw Refusals.invalid("A protected path cannot be used: " + e.getMessage() + ".");
        }
        boolean fine =
                !text.isEmpty()
                        && !path.isAbsolute()
                        && path.normalize().toString().equals(text)
                        && !text.startsWith("..")
                        && !".".equals(text);
        if (!fine) {
            throw Refusals.invalid(
                    "The protected path '"
                            + text
                            + "' must be relative to the workspace, without . and ..");
        }
        return path;
    }

    private static void refuseLink(Path at) {
        if (Files.isSymbolicLink(at)) {
            throw Refusals.denied(
                    "The protected path "
                            + at
                            + " is a symbolic link, which cannot be kept from being replaced: put"
                            + " a real file or folder there, or take it off the list.");
        }
    }

    private void protect(Path workspace, Path relative) {
        Path at = workspace;
        for (int depth = 0; depth < relative.getNameCount(); depth++) {
            at = at.resolve(relative.getName(depth));
            refuseLink(at);
            boolean last = depth == relative.getNameCount() - 1;
            boolean open = !last && Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS);
            if (!open || placeholders.isOne(at)) {
                if (placeholders.hold(at, !last || looksLikeFolder(at))) {
                    held.add(at);
                }
                readOnly.add(at);
                return;
            }
            pinned.add(at);
        }
    }

    /** Guesses; a wrong guess shows something empty of the wrong kind. */
    private static boolean looksLikeFolder(Path path) {
        String name = path.getFileName().toString();
        return name.indexOf('.', 1) < 0
                && !name.endsWith("rc")
                && !name.endsWith("profile")
                && !name.endsWith("config");
    }

    /** Adds the mounts: folders above first, then what is protected. */
    void addTo(Arguments arguments) {
        List<String> done = new ArrayList<>();
        for (Path path : pinned) {
            arguments.add("--bind", path.toString(), path.toString());
        }
        for (Path path : readOnly) {
            String text = path.toString();
            if (!SystemPaths.within(text, done)) {
                arguments.add("--ro-bind", text, text);
                done.add(text);
            }
        }
    }

    /** Returns how many paths are read-only. */
    int count() {
        return readOnly.size();
    }

    /** Removes what was made for it. */
    @Override
    public void close() {
        for (int at = held.size() - 1; at >= 0; at--) {
            placeholders.release(held.get(at));
        }
        held.clear();
    }
}
