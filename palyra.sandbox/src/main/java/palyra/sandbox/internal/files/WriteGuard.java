package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import palyra.sandbox.internal.workspace.ProtectedPaths;

/**
 * Keeps file tools from writing protected paths of a workspace. Asks for the list each time.
 * Thread-safe.
 */
final class WriteGuard {
    /** Two of them make a folder one that git might take for its own, by whatever way. */
    private static final List<String> MARKS = List.of("HEAD", "objects", "refs", "commondir");

    private static final int ENOUGH_MARKS = 2;

    private final Path workspace;
    private final Supplier<ProtectedPaths> paths;

    WriteGuard(Path workspace, Supplier<ProtectedPaths> paths) {
        this.workspace = workspace;
        this.paths = paths;
    }

    /** Refuses to write at a protected path, below one, or where patches are got ready. */
    void check(BeneathPath path) throws FileRefusal {
        String shown = "'" + FileRefusal.shown(path.toString()) + "' is ";
        if (PatchFolder.isOne(path)) {
            throw new FileRefusal(
                    FileRefusal.PROTECTED,
                    shown
                            + "protected, because the gateway gets changes ready there; write another path.");
        }
        if (paths.get().keepsFromFileTools(workspace, path.names())) {
            throw new FileRefusal(
                    FileRefusal.PROTECTED,
                    shown
                            + "protected, because other programs execute its content. "
                            + remedy(path));
        }
    }

    private String remedy(BeneathPath path) {
        boolean ofGit =
                path.names().stream()
                        .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals(".git"));
        if (ofGit) {
            return "Use git by a command: it writes its own files, and of settings and hooks what"
                    + " would run programs outside of the sandbox is undone at the command's end. If"
                    + " it is to stay, name the path in protected_paths of the command, which a"
                    + " person has to allow.";
        }
        return isKeptFromCommands(path)
                ? "Write another path, or have a command write it that names it in protected_paths,"
                        + " which a person has to allow."
                : "Write another path, or write this one by a command, which is not kept from it.";
    }

    private boolean isKeptFromCommands(BeneathPath path) {
        return paths.get()
                .keptFromCommands(workspace)
                .test(workspace + "/" + String.join("/", path.names()));
    }

    /**
     * Refuses to change what is in a repository of git, under whatever name, or would be in one
     * after all changes: what file tools write is not looked at afterwards, as that of commands is.
     *
     * @param paths of all files that are changed
     */
    void checkRepositories(PatchWorkspace ground, List<BeneathPath> paths)
            throws IOException, FileRefusal {
        Set<BeneathPath> made = new HashSet<>();
        for (BeneathPath path : paths) {
            for (BeneathPath at = path; !at.isRoot(); at = at.parent()) {
                made.add(at);
            }
        }
        Set<BeneathPath> passed = new HashSet<>();
        for (BeneathPath path : paths) {
            for (BeneathPath at = path; !at.isRoot(); at = at.parent()) {
                if (passed.add(at.parent()) && isRepository(ground, at.parent(), made)) {
                    throw ofRepository(path, at.parent());
                }
            }
        }
    }

    private static boolean isRepository(
            PatchWorkspace ground, BeneathPath folder, Set<BeneathPath> made)
            throws IOException, FileRefusal {
        Optional<OpenFolder> opened = opened(ground, folder);
        try {
            int marks = 0;
            for (String mark : MARKS) {
                marks += has(opened, folder, made, mark) ? 1 : 0;
            }
            return marks >= ENOUGH_MARKS;
        } finally {
            if (opened.isPresent()) {
                opened.get().close();
            }
        }
    }

    /** Returns a folder; empty when it is to be made. */
    private static Optional<OpenFolder> opened(PatchWorkspace ground, BeneathPath folder)
            throws IOException, FileRefusal {
        try {
            return Optional.of(ground.at(folder));
        } catch (FileRefusal e) {
            if (e.reasonCode().equals(FileRefusal.NOT_FOUND)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static boolean has(
            Optional<OpenFolder> opened, BeneathPath folder, Set<BeneathPath> made, String name)
            throws IOException {
        return made.contains(folder.child(name))
                || (opened.isPresent() && opened.get().attributes(name).isPresent());
    }

    private static FileRefusal ofRepository(BeneathPath path, BeneathPath folder) {
        return new FileRefusal(
                FileRefusal.PROTECTED,
                "'"
                        + FileRefusal.shown(path.toString())
                        + "' would be in a repository of git: '"
                        + FileRefusal.shown(folder.toString())
                        + "' has two of HEAD, objects, refs and commondir, or would have them. Programs outside of the"
                        + " sandbox obey what is there. Use git through a command.");
    }
}
