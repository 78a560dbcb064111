package palyra.sandbox.internal.guard;

/** Settings. */
public record GuardSettings(
        java.util.Set<String> allowedCommands,
        boolean allowInterpreters,
        java.util.List<String> searchPath,
        java.util.List<String> readOnlyPaths) {}
