package palyra.shell.internal.host;

import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import palyra.api.command.CommandOutput;

/** Results for people. */
final class TextOutput implements CommandOutput {
    private final TextWriter out;
    private final TextWriter err;
    private final boolean interactive;
    private final IntSupplier columns;

    TextOutput(TextWriter out, TextWriter err, boolean interactive, IntSupplier columns) {
        this.out = out;
        this.err = err;
        this.interactive = interactive;
        this.columns = columns;
    }

    @Override
    public void table(List<String> headings, List<List<String>> rows) {
        // Output to a pipe is not cut.
        out.write(Layout.table(headings, rows, interactive ? columns.getAsInt() : 0));
    }

    @Override
    public void fields(Map<String, ?> fields) {
        out.write(Layout.fields(fields));
    }

    @Override
    public void line(String text) {
        out.write(SafeText.block(text) + "\n");
    }

    @Override
    public void raw(String text) {
        out.write(interactive ? SafeText.block(text) : text);
    }

    @Override
    public void note(String text) {
        err.write(SafeText.block(text) + "\n");
    }
}
