package palyra.sandbox.internal.guard;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a request must look like before anything is looked up. The bounds are those of execve(2) on
 * Linux, where one argument takes 32 pages, and a third of its usual total.
 */
final class RequestShape {
    private static final int MAX_NAME_CHARACTERS = 256;
    private static final int MAX_ARGUMENTS = 1_024;
    private static final int MAX_ARGUMENT_BYTES = 128 * 1_024 - 1; // and a NUL at its end
    private static final int MAX_ALL_BYTES = 2 * 1_024 * 1_024;
    private static final Pattern UNUSABLE = Pattern.compile("[/\\\\\\s\\p{Cntrl}\\p{Z}]");

    private RequestShape() {}

    static void check(CommandRequest request) throws Refusal {
        name(request.command());
        arguments(request.arguments());
    }

    private static void name(String command) throws Refusal {
        boolean usable =
                command != null
                        && !command.isEmpty()
                        && command.length() <= MAX_NAME_CHARACTERS
                        && !command.startsWith("-")
                        && !command.equals(".")
                        && !command.equals("..")
                        && !UNUSABLE.matcher(command).find()
                        && isUnicode(command);
        if (!usable) {
            throw new Refusal(
                    CommandGuard.NAME_UNUSABLE,
                    "The command '"
                            + Refusal.shown(command == null ? "" : command)
                            + "' is not a bare program name; send a name without '/' or spaces"
                            + " of at most 256 characters, such as ls, and the arguments in args.");
        }
    }

    private static void arguments(List<String> arguments) throws Refusal {
        if (arguments.size() > MAX_ARGUMENTS) {
            throw refused(
                    "args has " + arguments.size() + " arguments; send at most " + MAX_ARGUMENTS);
        }
        long bytes = 0;
        for (int i = 0; i < arguments.size(); i++) {
            bytes += argument(arguments.get(i), i + 1) + 1;
        }
        if (bytes > MAX_ALL_BYTES) {
            throw refused("args has " + bytes + " bytes; send at most " + MAX_ALL_BYTES);
        }
    }

    private static long argument(String argument, int position) throws Refusal {
        if (argument.indexOf('\0') >= 0) {
            throw refused("argument " + position + " holds a NUL character; leave it out");
        }
        if (!isUnicode(argument)) {
            throw refused("argument " + position + " holds half of a surrogate pair");
        }
        int length = argument.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_ARGUMENT_BYTES) {
            throw refused(
                    "argument "
                            + position
                            + " has "
                            + length
                            + " bytes; send at most "
                            + MAX_ARGUMENT_BYTES
                            + ", or put it into a file");
        }
        return length;
    }

    /** Only well-formed Unicode has bytes that the program would get. */
    private static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static Refusal refused(String what) {
        return new Refusal("sandbox.arguments", "The command cannot be started: " + what + ".");
    }
}
