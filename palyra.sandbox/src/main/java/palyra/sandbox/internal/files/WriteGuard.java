package palyra.sandbox.internal.files;

import java.nio.file.Path;
import java.util.function.Supplier;
import palyra.sandbox.internal.workspace.ProtectedPaths;

/**
 * Keeps file tools from writing protected paths of a workspace. Asks for the list each time.
 * Thread-safe.
 */
final class WriteGuard {
    private final Path workspace;
    private final Supplier<ProtectedPaths> paths;

    WriteGuard(Path workspace, Supplier<ProtectedPaths> paths) {
        this.workspace = workspace;
        this.paths = paths;
    }

    /** Refuses to write at a protected path, below one, or where patches are got ready. */
    void check(BeneathPath path) throws FileRefusal {
        if (paths.get().keepsFromFileTools(workspace, path.names()) || PatchFolder.isOne(path)) {
            throw new FileRefusal(
                    FileRefusal.PROTECTED,
                    "'"
                            + FileRefusal.shown(path.toString())
                            + "' is protected, because other programs execute its content. Write"
                            + " another path, or run a command with protected_paths, which a"
                            + " person is asked about.");
        }
    }
}
