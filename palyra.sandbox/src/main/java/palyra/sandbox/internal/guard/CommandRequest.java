package palyra.sandbox.internal.guard;

/** Request. */
public record CommandRequest(
        String command,
        java.util.List<String> arguments,
        String workingFolder,
        java.util.Set<String> hosts) {}
