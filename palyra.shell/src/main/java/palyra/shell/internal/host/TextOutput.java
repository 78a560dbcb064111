package palyra.shell.internal.host;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import palyra.api.command.CommandOutput;

/** Results for people. */
final class TextOutput implements CommandOutput {
    private final TextWriter out;
    private final TextWriter err;
    private final boolean interactive;
    private final Layout layout;
    private final Consumer<String> progress;
    private final IntSupplier columns;

    /**
     * Creates it.
     *
     * @param progress takes what the command does now
     */
    TextOutput(
            TextWriter out,
            TextWriter err,
            boolean interactive,
            Style style,
            IntSupplier columns,
            Consumer<String> progress) {
        this.out = out;
        this.err = err;
        this.interactive = interactive;
        this.columns = columns;
        this.layout = new Layout(style);
        this.progress = progress;
    }

    @Override
    public void table(List<String> headings, List<? extends List<?>> rows) {
        // Output to a pipe is not cut.
        out.write(layout.table(headings, rows, interactive ? columns.getAsInt() : 0));
    }

    @Override
    public void fields(Map<String, ?> fields) {
        out.write(layout.fields(fields));
    }

    @Override
    public void line(String text) {
        out.write(layout.style().line(SafeText.block(text)) + "\n");
    }

    @Override
    public void raw(String text) {
        out.write(interactive ? SafeText.block(text) : text);
    }

    @Override
    public void note(String text) {
        err.write(SafeText.block(text) + "\n");
    }

    @Override
    public void progress(String text) {
        progress.accept(text);
    }
}
