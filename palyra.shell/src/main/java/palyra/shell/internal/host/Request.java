package palyra.shell.internal.host;

import java.util.List;

/**
 * What is to be run and for whose terminal.
 *
 * @param argv the command and its arguments; never joined into a line
 * @param interactive whether a person watches at a terminal
 * @param columns width of the terminal, 0 when unknown
 * @param workingFolder folder the caller stands in; empty when unknown
 */
public record Request(List<String> argv, boolean interactive, int columns, String workingFolder) {
    /** Copies. */
    public Request {
        argv = List.copyOf(argv);
    }
}
