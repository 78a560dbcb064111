package palyra.backup.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import palyra.api.command.CommandContext;
import palyra.backup.internal.archive.Passphrase;

/** Reads a passphrase: typed unseen at a terminal, else the first line of standard input. */
final class PassphraseInput {
    /** ECMA-48, SGR 8 and 28; the command outside switches its terminal's echo with them. */
    private static final String CONCEAL = "\u001b[8m";

    private static final String REVEAL = "\u001b[28m";

    private PassphraseInput() {}

    /** Returns the line without its end; empty at the end of input. */
    static byte[] read(CommandContext context, String question) throws IOException {
        if (!context.interactive()) {
            return line(context.in());
        }
        show(context, question + CONCEAL);
        try {
            return line(context.in());
        } finally {
            show(context, REVEAL + "\n");
        }
    }

    private static byte[] line(InputStream in) throws IOException {
        byte[] buffer = new byte[Passphrase.MOST_BYTES + 1]; // one too many is refused later
        int length = 0;
        try {
            int next = in.read();
            while (next >= 0 && next != '\n' && length < buffer.length) {
                buffer[length++] = (byte) next;
                next = in.read();
            }
            boolean carriage = length > 0 && buffer[length - 1] == '\r';
            return Arrays.copyOf(buffer, carriage ? length - 1 : length);
        } finally {
            Arrays.fill(buffer, (byte) 0);
        }
    }

    private static void show(CommandContext context, String text) throws IOException {
        context.out().write(text.getBytes(StandardCharsets.UTF_8));
        context.out().flush();
    }
}
