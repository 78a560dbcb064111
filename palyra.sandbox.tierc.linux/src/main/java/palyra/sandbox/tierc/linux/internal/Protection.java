package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.Refusals;
import palyra.shared.confine.SystemPaths;

/**
 * How protected paths of a workspace are kept as they are: each becomes a read-only mount, and each
 * folder above it a mount of its own, because the kernel renames a folder with a mount somewhere
 * below it, but never a mount. What does not exist is kept from being made by something empty.
 */
final class Protection implements AutoCloseable {
    private final Placeholders placeholders;
    private final Leftovers leftovers;
    private final List<Path> held = new ArrayList<>();
    private final Set<Path> pinned = new TreeSet<>();
    private final Map<Path, Kind> readOnly = new TreeMap<>();
    private String repositories = "0";

    /** What is mounted for reading. */
    private enum Kind {
        EXISTING,
        EMPTY_FILE,
        EMPTY_FOLDER
    }

    private Protection(Placeholders placeholders, Leftovers leftovers) {
        this.placeholders = placeholders;
        this.leftovers = leftovers;
    }

    /** Works out mounts. Close it when the command has ended. */
    static Protection of(String workspace, List<String> paths, Placeholders placeholders) {
        Protection protection =
                new Protection(placeholders, new Leftovers(FolderIdentity.of(workspace)));
        try {
            for (String path : paths) {
                protection.protect(Path.of(workspace), checked(path));
            }
            Repositories.Found repositories = Repositories.in(workspace, paths);
            for (String path : repositories.paths()) {
                protection.protect(Path.of(workspace), checked(path));
            }
            protection.repositories = repositories.words();
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
                readOnly.putIfAbsent(at, kind(at, !last || looksLikeFolder(at)));
                return;
            }
            pinned.add(at);
        }
    }

    private Kind kind(Path at, boolean folder) {
        if (!placeholders.hold(at)) {
            return Kind.EXISTING;
        }
        held.add(at);
        if (at.endsWith(Leftovers.COMMON_FOLDER)) {
            return commonFolder(at);
        }
        return folder ? Kind.EMPTY_FOLDER : Kind.EMPTY_FILE;
    }

    /** git does not work with an empty one: what is made instead names the repository itself. */
    private Kind commonFolder(Path at) {
        try {
            if (!Files.exists(at, LinkOption.NOFOLLOW_LINKS)) { // of another command here
                leftovers.makeCommonFolder(at);
            }
            return Kind.EXISTING;
        } catch (IOException e) {
            throw Refusals.denied(
                    "The file "
                            + at
                            + ", which keeps a command from sending git elsewhere for hooks and"
                            + " settings, cannot be made ("
                            + e
                            + "): make its folder writable for the gateway's user.");
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
    void addTo(Bindings bindings) {
        List<String> done = new ArrayList<>();
        for (Path path : pinned) {
            bindings.writable(path.toString());
        }
        readOnly.forEach(
                (path, kind) -> {
                    String text = path.toString();
                    if (!SystemPaths.within(text, done)) {
                        mount(bindings, kind, text);
                        done.add(text);
                    }
                });
    }

    private static void mount(Bindings bindings, Kind kind, String path) {
        switch (kind) {
            case EXISTING -> bindings.readOnly(path, path);
            case EMPTY_FILE -> bindings.emptyFile(path);
            case EMPTY_FOLDER -> bindings.emptyFolder(path);
        }
    }

    /** Returns the {@code protected=} and {@code repositories=} facts of an enforcement. */
    String words() {
        return "protected=" + readOnly.size() + " repositories=" + repositories;
    }

    /** Removes what was made for it and is still empty. */
    @Override
    public void close() {
        for (int at = held.size() - 1; at >= 0; at--) {
            placeholders.release(held.get(at), leftovers);
        }
        held.clear();
    }
}
