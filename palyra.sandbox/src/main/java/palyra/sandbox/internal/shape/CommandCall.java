package palyra.sandbox.internal.shape;

import java.util.List;
import java.util.Set;
import palyra.api.Require;

/**
 * A call of a process tool as it was asked for.
 *
 * @param tool name of the tool
 * @param command bare name of the program
 * @param stdinBytes how many bytes it would read; -1 for none at all
 * @param hosts hosts it asks for, each {@code HOST:PORT}
 * @param timeoutMillis time it asks for; 0 for as configured
 * @param background whether it goes on after the call
 * @param session whether it runs in the sandbox that the commands of its session share
 */
public record CommandCall(
        String tool,
        String command,
        List<String> arguments,
        int stdinBytes,
        Set<String> hosts,
        long timeoutMillis,
        boolean background,
        boolean session) {
    /** Checks and copies. */
    public CommandCall {
        Require.text(tool, "tool");
        Require.text(command, "command");
        arguments = List.copyOf(arguments);
        hosts = Set.copyOf(hosts);
    }
}
