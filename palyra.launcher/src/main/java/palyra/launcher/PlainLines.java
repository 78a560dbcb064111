package palyra.launcher;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** Lines as the terminal, a file or a pipe gives them. */
final class PlainLines implements Lines {
    static final int LINE_LIMIT_BYTES = 256 * 1024;

    private final TypedInput input;
    private final PrintStream out;
    private final boolean interactive;
    private final Consumer<String> complaints;

    PlainLines(
            TypedInput input, PrintStream out, boolean interactive, Consumer<String> complaints) {
        this.input = input;
        this.out = out;
        this.interactive = interactive;
        this.complaints = complaints;
    }

    @Override
    public Optional<String> next() throws InterruptedException {
        ask();
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        long size = 0;
        int next = input.read(0, false);
        while (next != '\n' && next != TypedInput.END) {
            if (++size <= LINE_LIMIT_BYTES) {
                line.write(next);
            }
            next = input.read(0, false);
        }
        if (size > LINE_LIMIT_BYTES) {
            complaints.accept(
                    "a line of " + size + " bytes was left out; the limit is " + LINE_LIMIT_BYTES);
            return next();
        }
        if (next == TypedInput.END && size == 0) {
            if (interactive) {
                out.println();
            }
            return Optional.empty();
        }
        return Optional.of(line.toString(StandardCharsets.UTF_8));
    }

    private void ask() {
        if (interactive) {
            out.print(SIGN);
            out.flush();
        }
    }

    @Override
    public void interrupted() {
        // The terminal itself has dropped what was typed.
        out.println();
        ask();
    }

    @Override
    public void close() {
        // nothing was changed
    }
}
