package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Set;

/**
 * A command as it is asked for.
 *
 * @param command bare name, looked up on the search path
 * @param arguments arguments, without the name
 * @param workingFolder where it starts, relative to the workspace; empty for the workspace itself
 * @param hosts {@code HOST} or {@code HOST:PORT}, which the caller says it will reach
 * @param protectedPaths protected paths, relative to the workspace, that the caller says it writes
 */
public record CommandRequest(
        String command,
        List<String> arguments,
        String workingFolder,
        Set<String> hosts,
        Set<String> protectedPaths) {
    /** Copies. */
    public CommandRequest {
        arguments = List.copyOf(arguments);
        hosts = Set.copyOf(hosts);
        protectedPaths = Set.copyOf(protectedPaths);
    }

    /** A command of which its caller does not say that it writes protected paths. */
    public CommandRequest(
            String command, List<String> arguments, String workingFolder, Set<String> hosts) {
        this(command, arguments, workingFolder, hosts, Set.of());
    }
}
