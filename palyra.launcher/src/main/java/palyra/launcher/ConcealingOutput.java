package palyra.launcher;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Passes a command's output on and switches the terminal echo where the command conceals input: SGR
 * 8 (ECMA-48) conceals, SGR 28 reveals. Some terminals ignore these sequences and would show a
 * typed secret.
 */
final class ConcealingOutput extends FilterOutputStream {
    private static final String CONCEAL = "\u001b[8m";
    private static final String REVEAL = "\u001b[28m";

    private final TerminalEcho echo;
    private final StringBuilder tail = new StringBuilder();

    ConcealingOutput(OutputStream out, TerminalEcho echo) {
        super(out);
        this.echo = echo;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            look((char) (bytes[i] & 0xff));
        }
        out.write(bytes, offset, length);
    }

    /** The sequence may come in pieces. */
    private void look(char next) {
        if (next == CONCEAL.charAt(0)) {
            tail.setLength(0);
        } else if (tail.isEmpty()) {
            return;
        }
        tail.append(next);
        String seen = tail.toString();
        if (seen.equals(CONCEAL)) {
            echo.hide();
        } else if (seen.equals(REVEAL)) {
            echo.show();
        }
        if (seen.length() >= REVEAL.length() || next == 'm') {
            tail.setLength(0);
        }
    }
}
