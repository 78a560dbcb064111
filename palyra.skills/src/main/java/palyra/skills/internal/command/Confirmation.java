package palyra.skills.internal.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;

/** Asks the person at the terminal. */
final class Confirmation {
    /** Name of the flag that answers yes beforehand. */
    static final String YES = "yes";

    private static final int MOST = 200;

    private Confirmation() {}

    /** Returns when the answer is yes; CANCELLED for no, INVALID_ARGUMENT without a terminal. */
    static void require(CommandContext context, String question) throws IOException {
        if (context.arguments().flag(YES)) {
            return;
        }
        if (!context.interactive() || context.json()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "This command needs a confirmation and has no terminal; give --yes to confirm.");
        }
        context.output().raw(question + " [y/N] ");
        String answer = line(context).strip().toLowerCase(Locale.ROOT);
        if (!answer.equals("y") && !answer.equals("yes")) {
            throw new PalyraException(ErrorCode.CANCELLED, "Nothing was changed.");
        }
    }

    private static String line(CommandContext context) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = context.in().read(); b >= 0 && b != '\n' && b != '\r'; ) {
            if (line.size() < MOST) {
                line.write(b);
            }
            b = context.in().read();
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
