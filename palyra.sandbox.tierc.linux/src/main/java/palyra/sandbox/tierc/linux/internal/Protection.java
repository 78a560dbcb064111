package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.Refusals;
import palyra.shared.confine.SystemPaths;

/**
 * Protects paths of a workspace: each becomes a read-only mount, and each folder above it a mount
 * of its own, because the kernel renames a folder with a mount below it, but never a mount. A mount
 * needs a place that programs and git would see, so paths that do not exist get none: the runner of
 * commands looks at those afterwards.
 */
final class Protection {
    private final WorkspaceFiles workspaceFiles;
    private final Set<Path> pinned = new TreeSet<>();
    private final Set<Path> readOnly = new TreeSet<>();
    private String repositories = "0";

    private Protection(WorkspaceFiles workspaceFiles) {
        this.workspaceFiles = workspaceFiles;
    }

    /** Determines the mounts. */
    static Protection of(String workspace, List<String> paths) {
        Protection protection = new Protection(new WorkspaceFiles(FolderIdentity.of(workspace)));
        for (String path : paths) {
            protection.protect(Path.of(workspace), checked(path));
        }
        Repositories.Found repositories = Repositories.in(workspace, paths);
        for (String path : repositories.paths()) {
            protection.protect(Path.of(workspace), checked(path));
        }
        protection.repositories = repositories.words();
        return protection;
    }

    /** Refuses a list that {@link #of} would refuse. */
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
        List<Path> above = new ArrayList<>();
        for (int depth = 0; depth < relative.getNameCount(); depth++) {
            at = at.resolve(relative.getName(depth));
            refuseLink(at);
            if (Leftovers.isOne(at)) {
                workspaceFiles.remove(at);
            }
            if (!Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            boolean last = depth == relative.getNameCount() - 1;
            if (last || !Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                pinned.addAll(above);
                readOnly.add(at);
                return;
            }
            above.add(at);
        }
    }

    /** Adds the mounts: folders above first, then the protected paths. */
    void addTo(Mounts mounts) {
        List<String> done = new ArrayList<>();
        for (Path path : pinned) {
            mounts.writable(path.toString());
        }
        for (Path path : readOnly) {
            String text = path.toString();
            if (!SystemPaths.within(text, done)) {
                mounts.readOnly(text, text);
                done.add(text);
            }
        }
    }

    /** Returns the {@code protected=} and {@code repositories=} facts of an enforcement. */
    String words() {
        return "protected=" + readOnly.size() + " repositories=" + repositories;
    }
}
