package palyra.sandbox.internal.files;

import java.util.function.Supplier;
import palyra.sandbox.internal.workspace.ProtectedPaths;

/** Keeps file tools from writing protected paths. Asks for the list each time. Thread-safe. */
final class WriteGuard {
    private final Supplier<ProtectedPaths> paths;

    WriteGuard(Supplier<ProtectedPaths> paths) {
        this.paths = paths;
    }

    /** Refuses to write at a protected path, below one, or where patches are got ready. */
    void check(BeneathPath path) throws FileRefusal {
        if (paths.get().keepsFromFileTools(path.names()) || PatchFolder.isOne(path)) {
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
