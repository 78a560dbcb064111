package palyra.shell.internal.vault;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.core.vault.Vault;

/**
 * Reads a value: from a terminal one line that is not shown while it is typed, else all of standard
 * input. Buffers are overwritten; the caller overwrites the value.
 */
final class ValueInput {
    /** The command outside also switches its terminal's echo off and on when it passes these on. */
    private static final String CONCEAL = "\u001b[8m"; // ECMA-48, SGR 8 and 28

    private static final String REVEAL = "\u001b[28m";

    private ValueInput() {}

    /**
     * Returns the value.
     *
     * @param exact whether a line end at the end of the input belongs to it
     */
    static byte[] read(CommandContext context, boolean exact) throws IOException {
        byte[] buffer = new byte[Vault.MAX_VALUE_BYTES + 3];
        try {
            int length;
            if (context.interactive()) {
                show(context, "Value (it is not shown; the line ends it): " + CONCEAL);
                try {
                    length = line(context.in(), buffer);
                } finally {
                    show(context, REVEAL + "\n");
                }
            } else {
                length = context.in().readNBytes(buffer, 0, buffer.length);
            }
            int end = exact ? length : withoutLineEnd(buffer, length);
            if (end < 1 || end > Vault.MAX_VALUE_BYTES) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        (end < 1 ? "There is no value" : "The value is too long")
                                + " on standard input: give 1 to "
                                + Vault.MAX_VALUE_BYTES
                                + " bytes, as in: palyra vault put global/name < file");
            }
            return Arrays.copyOf(buffer, end);
        } finally {
            Arrays.fill(buffer, (byte) 0);
        }
    }

    private static int line(InputStream in, byte[] buffer) throws IOException {
        int length = 0;
        int next = in.read();
        while (next >= 0 && length < buffer.length) {
            buffer[length++] = (byte) next;
            if (next == '\n') {
                return length;
            }
            next = in.read();
        }
        return length;
    }

    private static int withoutLineEnd(byte[] buffer, int length) {
        int end = length;
        if (end > 0 && buffer[end - 1] == '\n') {
            end--;
            if (end > 0 && buffer[end - 1] == '\r') {
                end--;
            }
        }
        return end;
    }

    /** Reads a line that may be shown, such as an answer. */
    static String answer(CommandContext context, String question) throws IOException {
        show(context, question);
        byte[] buffer = new byte[1_024];
        int length = line(context.in(), buffer);
        return new String(buffer, 0, length, StandardCharsets.UTF_8).strip();
    }

    private static void show(CommandContext context, String text) throws IOException {
        context.out().write(text.getBytes(StandardCharsets.UTF_8));
        context.out().flush();
    }
}
