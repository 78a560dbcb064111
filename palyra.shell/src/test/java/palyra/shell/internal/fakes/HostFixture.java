package palyra.shell.internal.fakes;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import palyra.api.command.Command;
import palyra.shell.internal.host.CommandHost;
import palyra.shell.internal.host.CommandRegistry;
import palyra.shell.internal.host.Execution;
import palyra.shell.internal.host.Request;
import palyra.shell.internal.host.Seams;
import palyra.testing.access.FakeAccess;

/** A command host with a few commands, and executions whose streams are in memory. */
public final class HostFixture {
    public final FakeAccess access = ShellAccess.create();
    public final Seams seams = ShellAccess.seams(access);
    public final CommandRegistry registry = new CommandRegistry(seams);
    public final CommandHost host = new CommandHost(registry, seams);

    public void add(Command command) {
        registry.bindCommand(command, Services.reference(Command.class, command, 1, 0));
    }

    /** One execution and what it wrote. */
    public static final class Run implements Execution.Streams {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();
        private final InputStream in;
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        public Execution execution;

        Run(InputStream input) {
            in = input;
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
        public OutputStream err() {
            return err;
        }

        @Override
        public void exited(int code) {
            exit.complete(code);
        }

        public int code() throws Exception {
            return exit.get(30, TimeUnit.SECONDS);
        }

        public boolean isOver() {
            return exit.isDone();
        }

        public String outText() {
            return out.toString(StandardCharsets.UTF_8);
        }

        public String errText() {
            return err.toString(StandardCharsets.UTF_8);
        }
    }

    public Run start(String... argv) {
        return start(InputStream.nullInputStream(), false, argv);
    }

    /** Starts a command with an input, at a terminal or not. */
    public Run start(InputStream input, boolean terminal, String... argv) {
        return start(
                input, new Request(List.of(argv), terminal, terminal, terminal, 0, false, "/"));
    }

    /** Starts a request with an input. */
    public Run start(InputStream input, Request request) {
        Run run = new Run(input);
        run.execution = host.start(request, () -> access.authenticate(null), run);
        return run;
    }

    public Run run(String... argv) throws Exception {
        Run run = start(argv);
        run.code();
        return run;
    }
}
