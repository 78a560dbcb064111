package palyra.shared.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import palyra.api.command.CommandContext;

/** Lines that a person types, shown or unseen. Stateless. */
public final class TerminalInput {
    /** ECMA-48, SGR 8 and 28. The command outside switches its terminal's echo with them. */
    private static final String CONCEAL = "\u001b[8m";

    private static final String REVEAL = "\u001b[28m";

    private TerminalInput() {}

    /**
     * Asks for a line that is not shown.
     *
     * @param most bytes to read; what comes after them is left
     * @return the line with its end, which the caller overwrites; empty at the end of input
     */
    public static byte[] unseen(CommandContext context, String question, int most)
            throws IOException {
        show(context, question + CONCEAL);
        try {
            return line(context.in(), most);
        } finally {
            show(context, REVEAL + "\n");
        }
    }

    /** Asks for a line that is shown; returns it without space around it. */
    public static String answer(CommandContext context, String question) throws IOException {
        show(context, question);
        return new String(line(context.in(), 1_024), StandardCharsets.UTF_8).strip();
    }

    /** Reads one line with its end, at most {@code most} bytes; empty at the end of input. */
    public static byte[] line(InputStream in, int most) throws IOException {
        byte[] buffer = new byte[most];
        int length = 0;
        try {
            int next = length < most ? in.read() : -1;
            while (next >= 0) {
                buffer[length++] = (byte) next;
                next = next == '\n' || length == most ? -1 : in.read();
            }
            return Arrays.copyOf(buffer, length);
        } finally {
            Arrays.fill(buffer, (byte) 0);
        }
    }

    /** Returns a copy without the line end; overwrites {@code line}. */
    public static byte[] withoutEnd(byte[] line) {
        int end = line.length;
        if (end > 0 && line[end - 1] == '\n') {
            end--;
            if (end > 0 && line[end - 1] == '\r') {
                end--;
            }
        }
        byte[] content = Arrays.copyOf(line, end);
        Arrays.fill(line, (byte) 0);
        return content;
    }

    private static void show(CommandContext context, String text) throws IOException {
        context.out().write(text.getBytes(StandardCharsets.UTF_8));
        context.out().flush();
    }
}
