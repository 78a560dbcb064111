package palyra.sandbox.internal.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.text.ShellWords;

/**
 * Gives a command a terminal of its own: script(1) of util-linux makes it inside of the sandbox and
 * hands on what is read and written. Both output streams become one. Stateless.
 */
final class PseudoTerminal {
    private static final String SCRIPT = "script";

    /** Without a size programs take the terminal for one of no columns. */
    private static final String BEGIN =
            "stty cols 120 rows 40; TERM=xterm-256color; export TERM; exec ";

    private PseudoTerminal() {}

    /**
     * Returns the words that run a command at a terminal and end with its exit code.
     *
     * @param searchPath folders of programs
     * @throws PalyraException TOOL_UNAVAILABLE when the host has no script(1)
     */
    static List<String> around(List<String> argv, List<String> searchPath) {
        Path script =
                searchPath.stream()
                        .map(folder -> Path.of(folder, SCRIPT))
                        .filter(Files::isExecutable)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.TOOL_UNAVAILABLE,
                                                "pty needs the program script of util-linux, which"
                                                        + " is in no folder of searchPath ("
                                                        + String.join(", ", searchPath)
                                                        + "); run the line without pty, or ask the"
                                                        + " operator to install it."));
        return List.of(script.toString(), "-qec", BEGIN + ShellWords.quoted(argv), "/dev/null");
    }
}
