package palyra.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the terminal around this process is like.
 *
 * @param input whether standard input is a terminal
 * @param output whether standard output is a terminal
 * @param error whether standard error is a terminal
 */
record Terminal(boolean input, boolean output, boolean error) {
    static final Size FALLBACK = new Size(80, 24);

    private static final int LIMIT = 10_000;
    private static final long STTY_TIMEOUT_MILLIS = 1_000;

    /** Columns and rows, both at least 1. */
    record Size(int columns, int rows) {
        Size {
            if (columns < 1 || rows < 1 || columns > LIMIT || rows > LIMIT) {
                throw new IllegalArgumentException("not a terminal size: " + columns + "x" + rows);
            }
        }
    }

    /**
     * The start script sets PALYRA_TTY to the standard streams that are terminals ("in", "out" and
     * "err", comma separated).
     */
    static Terminal of(Map<String, String> environment) {
        String streams = environment.get("PALYRA_TTY");
        if (streams != null) {
            String flags = "," + streams + ",";
            return new Terminal(
                    flags.contains(",in,"), flags.contains(",out,"), flags.contains(",err,"));
        }
        boolean both = System.console() != null;
        return new Terminal(both, both, both);
    }

    boolean interactive() {
        return input && output;
    }

    /** COLUMNS and LINES if set, else the terminal's answer, else 80 by 24. */
    Size size(Map<String, String> environment) {
        return fromWords(environment.get("COLUMNS"), environment.get("LINES"))
                .or(() -> input || output || error ? ask() : Optional.empty())
                .orElse(FALLBACK);
    }

    /** Returns the current size of the terminal; empty without a terminal. */
    static Optional<Size> ask() {
        try {
            Process stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!stty.waitFor(STTY_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                return Optional.empty();
            }
            String answer =
                    new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            String[] rowsAndColumns = answer.strip().split(" ", -1);
            return rowsAndColumns.length == 2
                    ? fromWords(rowsAndColumns[1], rowsAndColumns[0])
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<Size> fromWords(String columns, String rows) {
        if (columns == null || rows == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Size(Integer.parseInt(columns), Integer.parseInt(rows)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
