package palyra.shell.internal.host;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandOutput;

/** What a command sees of its own execution. */
final class ExecutionContext implements CommandContext, Stoppable, AutoCloseable {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int RAW_BUFFER_BYTES = 64 * 1024;

    private final Execution execution;
    private final Principal principal;
    private final ParsedLine line;
    private final CommandOutput output;
    private final OutputStream out;
    private final Optional<ProgressLine> progress; // empty where no person watches a terminal
    private Permit permit; // null before it is permitted; used by the command's thread alone

    /**
     * Creates it; to be closed.
     *
     * @param name of the command, for people
     */
    ExecutionContext(Execution execution, Principal principal, ParsedLine line, String name) {
        this.execution = execution;
        this.principal = principal;
        this.line = line;
        Style style = new Style(execution.request().colour());
        this.progress =
                watched() && !line.json()
                        ? Optional.of(new ProgressLine(execution.err(), name, style, this::columns))
                        : Optional.empty();
        OutputStream standard = guarded(execution.out());
        TextWriter out = new TextWriter(standard);
        TextWriter err = new TextWriter(guarded(execution.err()));
        this.output =
                line.json()
                        ? new JsonOutput(out, err)
                        : new TextOutput(
                                out,
                                err,
                                execution.request(),
                                style,
                                this::columns,
                                text -> progress.ifPresent(shown -> shown.says(text)));
        this.out = new BufferedOutputStream(new RawOutput(standard), RAW_BUFFER_BYTES);
    }

    private OutputStream guarded(OutputStream stream) {
        return progress.map(shown -> shown.before(stream)).orElse(stream);
    }

    @Override
    public void close() {
        progress.ifPresent(ProgressLine::close);
    }

    /** Translates an error of a closed output to {@link OutputClosedException}. */
    private static final class RawOutput extends FilterOutputStream {
        RawOutput(OutputStream to) {
            super(to);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                throw new OutputClosedException(e);
            }
        }

        @Override
        public void flush() {
            try {
                out.flush();
            } catch (IOException e) {
                throw new OutputClosedException(e);
            }
        }
    }

    @Override
    public Principal principal() {
        return principal;
    }

    /** Passes on what the command was permitted; called once, before it runs. */
    void permitted(Permit given) {
        permit = given;
    }

    @Override
    public Permit permit() {
        return permit == null ? CommandContext.super.permit() : permit;
    }

    @Override
    public CommandArguments arguments() {
        return line.arguments();
    }

    @Override
    public InputStream in() {
        if (interactive()) {
            progress.ifPresent(ProgressLine::readsInput);
        }
        return execution.in();
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public CommandOutput output() {
        return output;
    }

    @Override
    public boolean json() {
        return line.json();
    }

    @Override
    public boolean interactive() {
        return execution.interactive();
    }

    @Override
    public boolean watched() {
        return execution.request().terminalErr();
    }

    @Override
    public int columns() {
        int columns = execution.columns();
        return columns > 0 ? columns : DEFAULT_COLUMNS;
    }

    @Override
    public String workingFolder() {
        return execution.workingFolder();
    }

    @Override
    public boolean cancelled() {
        Optional<StopCause> cause = execution.stopCause();
        return cause.isPresent() && cause.get() != StopCause.WITHDRAWN;
    }

    @Override
    public void onCancel(Runnable action) {
        execution.onCancel(action);
    }

    @Override
    public Optional<StopCause> stopCause() {
        return execution.stopCause();
    }

    @Override
    public void afterwards(Runnable action) {
        execution.afterwards(action);
    }
}
