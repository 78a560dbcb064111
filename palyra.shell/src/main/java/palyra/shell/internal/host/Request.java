package palyra.shell.internal.host;

import java.util.List;

/**
 * A command request.
 *
 * @param argv the command and its arguments; never joined into a line
 * @param interactive whether input and output are a terminal: a person can be asked
 * @param terminalOut whether standard output is a terminal
 * @param terminalErr whether standard error is a terminal
 * @param columns width of the terminal, 0 when unknown
 * @param colour whether the terminal has colours and the caller wants them
 * @param workingFolder working directory of the caller; empty when unknown
 */
public record Request(
        List<String> argv,
        boolean interactive,
        boolean terminalOut,
        boolean terminalErr,
        int columns,
        boolean colour,
        String workingFolder) {
    /** Copies. */
    public Request {
        argv = List.copyOf(argv);
    }
}
