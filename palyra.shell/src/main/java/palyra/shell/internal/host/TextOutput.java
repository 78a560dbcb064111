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
    private final Request request;
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
            Request request,
            Style style,
            IntSupplier columns,
            Consumer<String> progress) {
        this.out = out;
        this.err = err;
        this.request = request;
        this.columns = columns;
        this.layout = new Layout(style);
        this.progress = progress;
    }

    @Override
    public void table(List<String> headings, List<? extends List<?>> rows) {
        out.write(layout.table(headings, rows, width()));
    }

    @Override
    public void fields(Map<String, ?> fields) {
        out.write(layout.fields(fields, width()));
    }

    @Override
    public void line(String text) {
        out.write(layout.style().line(wrapped(text, width())) + "\n");
    }

    @Override
    public void raw(String text) {
        out.write(request.terminalOut() ? SafeText.block(text) : text);
    }

    @Override
    public void note(String text) {
        err.write(wrapped(text, request.terminalErr() ? columns.getAsInt() : 0) + "\n");
    }

    private static String wrapped(String text, int width) {
        return DisplayWidth.wrap(SafeText.block(text), width, "");
    }

    /** Returns the width to keep to; 0 for output to a pipe, which is neither cut nor broken. */
    private int width() {
        return request.terminalOut() ? columns.getAsInt() : 0;
    }

    @Override
    public void progress(String text) {
        progress.accept(text);
    }
}
