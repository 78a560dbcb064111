package palyra.sandbox.tierc.windows.internal;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * The one string in which Windows hands over all arguments, quoted so that CommandLineToArgvW and
 * the C run-time library take it apart as it was ("Parsing C command-line arguments", Microsoft).
 */
final class CommandLine {
    /** Most characters, the final NUL included (CreateProcessW). */
    static final int MOST_CHARACTERS = 32_767;

    private CommandLine() {}

    /** Returns the command line; INVALID_ARGUMENT when it cannot be said in one. */
    static String of(String program, List<String> arguments) {
        if (program.indexOf('"') >= 0 || program.indexOf('\0') >= 0) {
            throw invalid("The program's path holds a quotation mark or a NUL; rename it.");
        }
        // the first one is taken apart differently: no escapes, up to the next quotation mark
        StringBuilder line = new StringBuilder().append('"').append(program).append('"');
        for (String argument : arguments) {
            if (argument.indexOf('\0') >= 0) {
                throw invalid("An argument holds a NUL character; leave it out.");
            }
            quote(argument, line.append(' '));
        }
        if (line.length() >= MOST_CHARACTERS) {
            throw invalid(
                    "The arguments take "
                            + line.length()
                            + " characters, more than the "
                            + (MOST_CHARACTERS - 1)
                            + " of Windows; pass them in a file.");
        }
        return line.toString();
    }

    /**
     * Backslashes are doubled before a quotation mark and at the end, and stay single elsewhere.
     */
    private static void quote(String argument, StringBuilder line) {
        line.append('"');
        int backslashes = 0;
        for (int i = 0; i < argument.length(); i++) {
            char character = argument.charAt(i);
            if (character == '\\') {
                backslashes++;
            } else {
                line.repeat("\\", character == '"' ? 2 * backslashes + 1 : backslashes);
                line.append(character);
                backslashes = 0;
            }
        }
        line.repeat("\\", 2 * backslashes).append('"');
    }

    private static PalyraException invalid(String message) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
