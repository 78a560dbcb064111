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
 * Protects paths of a workspace: each becomes a read-only mount, and each folder above it a mount
 * of its own, because the kernel renames a folder with a mount below it, but never a mount. A path
 * that does not exist gets an empty folder in its place, so that it cannot be made.
 */
final class Protection implements AutoCloseable {
    private final Placeholders placeholders;
    private final WorkspaceFiles workspaceFiles;
    private final List<Path> held = new ArrayList<>();
    private final Set<Path> pinned = new TreeSet<>();
    private final Map<Path, Kind> readOnly = new TreeMap<>();
    private String repositories = "0";

    /** Kinds of read-only mounts. */
    private enum Kind {
        EXISTING,
        EMPTY_FOLDER
    }

    private Protection(Placeholders placeholders, WorkspaceFiles workspaceFiles) {
        this.placeholders = placeholders;
        this.workspaceFiles = workspaceFiles;
    }

    /** Determines the mounts. Close it when the command has ended. */
    static Protection of(String workspace, List<String> paths, Placeholders placeholders) {
        Protection protection =
                new Protection(placeholders, new WorkspaceFiles(FolderIdentity.of(workspace)));
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

    /** Refuses a list that {@link #of} would refuse; makes no files. */
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
                            + " is a symbolic link, which a command could replace: put a real file or"
                            + " folder there, or remove it from the list.");
        }
    }

    private void protect(Path workspace, Path relative) {
        Path at = workspace;
        for (int depth = 0; depth < relative.getNameCount(); depth++) {
            at = at.resolve(relative.getName(depth));
            refuseLink(at);
            boolean last = depth == relative.getNameCount() - 1;
            boolean open = !last && Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS);
            if (!open || placeholders.isPlaceholder(at)) {
                readOnly.putIfAbsent(at, kind(at));
                return;
            }
            pinned.add(at);
        }
    }

    private Kind kind(Path at) {
        if (!hold(at)) {
            return Kind.EXISTING;
        }
        held.add(at);
        return at.endsWith(WorkspaceFiles.COMMON_FOLDER) ? commonFolder(at) : Kind.EMPTY_FOLDER;
    }

    private boolean hold(Path at) {
        try {
            return placeholders.hold(at, workspaceFiles);
        } catch (IOException e) {
            throw Refusals.unavailable(
                    "The placeholder " + at + " of a protected path cannot be recorded: " + e + ".",
                    "Make the state folder writable for the gateway's user, and make room on it.");
        }
    }

    /** git does not work with an empty one, so the placeholder names the repository itself. */
    private Kind commonFolder(Path at) {
        try {
            if (!Files.exists(at, LinkOption.NOFOLLOW_LINKS)) { // of another command here
                workspaceFiles.makeCommonFolder(at);
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

    /** Adds the mounts: folders above first, then the protected paths. */
    void addTo(Mounts mounts) {
        List<String> done = new ArrayList<>();
        for (Path path : pinned) {
            mounts.writable(path.toString());
        }
        readOnly.forEach(
                (path, kind) -> {
                    String text = path.toString();
                    if (!SystemPaths.within(text, done)) {
                        mount(mounts, kind, text);
                        done.add(text);
                    }
                });
    }

    private static void mount(Mounts mounts, Kind kind, String path) {
        switch (kind) {
            case EXISTING -> mounts.readOnly(path, path);
            case EMPTY_FOLDER -> mounts.emptyFolder(path);
        }
    }

    /**
     * Closes this one when another one holds all of its placeholders too.
     *
     * @return whether it was closed
     */
    boolean closeIfCoveredBy(Protection other) {
        boolean covered = other.held.containsAll(held);
        if (covered) {
            close();
        }
        return covered;
    }

    /** Returns what git is to ignore at the top of the workspace, as gitignore(5) writes it. */
    String ignored() {
        StringBuilder lines = new StringBuilder();
        Path workspace = workspaceFiles.workspace().path();
        for (Path path : held) {
            if (workspace.equals(path.getParent())) {
                lines.append('/').append(path.getFileName()).append('\n');
            }
        }
        return lines.toString();
    }

    /** Returns the {@code protected=} and {@code repositories=} facts of an enforcement. */
    String words() {
        return "protected=" + readOnly.size() + " repositories=" + repositories;
    }

    /** Removes its placeholders that are still empty. */
    @Override
    public void close() {
        for (int at = held.size() - 1; at >= 0; at--) {
            placeholders.release(held.get(at), workspaceFiles);
        }
        held.clear();
    }
}
