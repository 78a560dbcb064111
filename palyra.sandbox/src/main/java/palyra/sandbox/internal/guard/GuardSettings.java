package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Set;
import palyra.api.Require;
import palyra.sandbox.internal.workspace.ProtectedPaths;

/**
 * What a guard lets through.
 *
 * @param allowedCommands bare names of the commands that may be asked for; empty for any that the
 *     search path has
 * @param allowInterpreters whether programs that execute their input may be started
 * @param searchPath absolute folders in which commands are looked up, in this order
 * @param readOnlyPaths absolute paths of the host, beside the system's own, that may be named
 * @param protectedPaths what a command must not write; refused where its arguments tell
 */
public record GuardSettings(
        Set<String> allowedCommands,
        boolean allowInterpreters,
        List<String> searchPath,
        List<String> readOnlyPaths,
        ProtectedPaths protectedPaths) {
    /** Copies. */
    public GuardSettings {
        allowedCommands = Set.copyOf(allowedCommands);
        searchPath = List.copyOf(searchPath);
        readOnlyPaths = List.copyOf(readOnlyPaths);
        Require.present(protectedPaths, "protected paths");
    }

    /** Creates settings that protect nothing within a workspace. */
    public GuardSettings(
            Set<String> allowedCommands,
            boolean allowInterpreters,
            List<String> searchPath,
            List<String> readOnlyPaths) {
        this(allowedCommands, allowInterpreters, searchPath, readOnlyPaths, ProtectedPaths.NONE);
    }
}
