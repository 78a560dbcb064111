package palyra.sandbox.internal.guard;

/** Resolved. */
public record ResolvedCommand(
        java.nio.file.Path program,
        String programSha256,
        java.util.List<String> argv,
        java.nio.file.Path workspace,
        java.nio.file.Path workingFolder,
        boolean interpreter,
        palyra.api.core.access.CallFacts facts) {}
