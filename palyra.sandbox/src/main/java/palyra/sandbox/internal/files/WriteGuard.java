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
                            + (isKeptFromCommands(path)
                                    ? "Write another path, or run a command with protected_paths,"
                                            + " which a person is asked about."
                                    : "File tools never write it; commands are not kept from it."));
        }
    }

    private boolean isKeptFromCommands(BeneathPath path) {
        return paths.get()
                .keptFromCommands(workspace)
                .test(workspace + "/" + String.join("/", path.names()));
    }
}
