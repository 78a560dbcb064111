package palyra.launcher;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Passes a command's output on and does what it asks of a terminal that people type secrets at: SGR
 * 8 (ECMA-48) conceals, SGR 28 reveals. Terminals that do not know them show what is typed, so the
 * echo is switched off as well.
 */
final class ConcealingOutput extends FilterOutputStream {
    private static final String CONCEAL = "\u001b[8m";
    private static final String REVEAL = "\u001b[28m";

    private final Echo echo;
    private final StringBuilder tail = new StringBuilder();

    ConcealingOutput(OutputStream out, Echo echo) {
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
