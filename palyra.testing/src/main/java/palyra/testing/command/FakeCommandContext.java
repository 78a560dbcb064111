package palyra.testing.command;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;

/**
 * A command context for one execution, that keeps what the command wrote. Make it with {@link
 * #builder}, run the command with {@link #run}, then look at {@link #output} and {@link #bytesOut}.
 *
 * <p>Arguments are taken as they are: that they fit the command's spec is the shell's business.
 */
public final class FakeCommandContext implements CommandContext {
    private final Principal principal;
    private final CommandArguments arguments;
    private final InputStream in;
    private final boolean json;
    private final boolean interactive;
    private final int columns;
    private final String workingFolder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final FakeCommandOutput output;

    private final Object lock = new Object();
    private final List<Runnable> onCancel = new ArrayList<>(); // guarded by lock
    private boolean cancelled; // guarded by lock
    private Thread runner; // guarded by lock
    private String action = "none"; // guarded by lock

    private FakeCommandContext(Builder builder) {
        principal = builder.principal;
        arguments = new CommandArguments(builder.options, builder.positionals);
        in = builder.in;
        json = builder.json;
        interactive = builder.interactive;
        columns = builder.columns;
        workingFolder = builder.workingFolder;
        output = new FakeCommandOutput(json);
    }

    /** Returns a builder for an operator without arguments. */
    public static Builder builder() {
        return new Builder();
    }

    /** Gathers what a context is to hold. */
    public static final class Builder {
        private final Map<String, List<String>> options = new LinkedHashMap<>();
        private final List<String> positionals = new ArrayList<>();
        private Principal principal =
                new Principal(
                        "user:test", PrincipalKind.USER, Set.of("operator"), Set.of(), "test");
        private InputStream in = InputStream.nullInputStream();
        private boolean json;
        private boolean interactive;
        private int columns = 80;
        private String workingFolder = "";

        private Builder() {}

        /** Gives an option a value; again for a repeated option. */
        public Builder option(String name, String value) {
            options.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
            return this;
        }

        /** Sets a flag. */
        public Builder flag(String name) {
            return option(name, "true");
        }

        /** Adds positional arguments. */
        public Builder positionals(String... values) {
            positionals.addAll(List.of(values));
            return this;
        }

        /** Says who runs it. */
        public Builder principal(Principal who) {
            principal = who;
            return this;
        }

        /** Sets standard input. */
        public Builder in(String text) {
            return in(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        }

        /** Sets standard input. */
        public Builder in(InputStream stream) {
            in = stream;
            return this;
        }

        /** Asks for JSON. */
        public Builder json() {
            json = true;
            return this;
        }

        /** Puts a person at a terminal of so many columns. */
        public Builder terminal(int width) {
            interactive = true;
            columns = width;
            return this;
        }

        /** Sets the caller's working directory. */
        public Builder workingFolder(String folder) {
            workingFolder = folder;
            return this;
        }

        /** Returns the context. */
        public FakeCommandContext build() {
            return new FakeCommandContext(this);
        }
    }

    /**
     * Runs a command on the calling thread as the shell would: an exception of Palyra becomes a
     * line on standard error and its exit code; any other is the test's to see.
     */
    public int run(Command command) throws Exception {
        synchronized (lock) {
            runner = Thread.currentThread();
            action = command.spec().action();
        }
        try {
            return command.run(this);
        } catch (PalyraException e) {
            output.note(e.getMessage());
            return ExitCodes.of(e.code());
        } finally {
            synchronized (lock) {
                runner = null;
            }
        }
    }

    /**
     * Asks the command to stop, as Ctrl-C does: the actions run, then its thread is interrupted.
     */
    public void cancel() {
        List<Runnable> actions;
        synchronized (lock) {
            cancelled = true;
            actions = List.copyOf(onCancel);
            onCancel.clear();
        }
        actions.forEach(Runnable::run);
        synchronized (lock) {
            if (runner != null) {
                runner.interrupt();
            }
        }
    }

    /** Returns what was written as raw bytes. */
    public byte[] bytesOut() {
        return out.toByteArray();
    }

    @Override
    public Principal principal() {
        return principal;
    }

    /** Returns a permit for the action of the command that is being run. */
    @Override
    public Permit permit() {
        synchronized (lock) {
            return new Permit(
                    "01J00000000000000000000000",
                    principal,
                    action,
                    "",
                    DecisionSource.BUILT_IN_RULES,
                    "test",
                    System.currentTimeMillis());
        }
    }

    @Override
    public CommandArguments arguments() {
        return arguments;
    }

    @Override
    public InputStream in() {
        return in;
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public FakeCommandOutput output() {
        return output;
    }

    @Override
    public boolean json() {
        return json;
    }

    @Override
    public boolean interactive() {
        return interactive;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public String workingFolder() {
        return workingFolder;
    }

    @Override
    public boolean cancelled() {
        synchronized (lock) {
            return cancelled;
        }
    }

    @Override
    public void onCancel(Runnable action) {
        boolean now;
        synchronized (lock) {
            now = cancelled;
            if (!now) {
                onCancel.add(action);
            }
        }
        if (now) {
            action.run();
        }
    }
}
