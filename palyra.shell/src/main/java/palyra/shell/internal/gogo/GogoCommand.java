package palyra.shell.internal.gogo;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.RecordsArguments;
import palyra.shell.internal.host.StopCause;
import palyra.shell.internal.host.Stoppable;

/** {@code gogo LINE}: a line for Gogo, so that Felix can be administrated from outside. */
@Component(service = Command.class)
public final class GogoCommand implements Command, RecordsArguments {
    private static final long STOP_MILLIS = 5_000;

    private final CommandProcessor processor;

    @Activate
    public GogoCommand(@Reference CommandProcessor processor) {
        this.processor = processor;
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "gogo",
                "Runs a line of Gogo, such as \"lb -s\" or \"scr:info NAME\".",
                "The line is one argument: put it in quotes. It can do anything to the framework.",
                List.of(),
                List.of(PositionalSpec.required("LINE", "What Gogo shall run")),
                "bundle.update",
                true);
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        if (!context.json()) {
            return execute(context, context.out());
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int code = execute(context, text);
        context.output().fields(Fields.of("output", text.toString(StandardCharsets.UTF_8)));
        return code;
    }

    /**
     * The line runs on a thread of its own: it may replace this very bundle, and an interrupt in
     * the middle of that would leave the bundle stopped.
     */
    private int execute(CommandContext context, OutputStream to) throws InterruptedException {
        String line = context.arguments().positionals().get(0);
        CompletableFuture<Exception> end = new CompletableFuture<>();
        Thread worker = new Thread(() -> end.complete(run(line, context.in(), to)), "palyra-gogo");
        worker.setDaemon(true);
        worker.start();
        try {
            refuse(end.get());
            return ExitCodes.OK;
        } catch (InterruptedException e) {
            if (withdrawn(context)) {
                context.output().note("The shell goes away; the line goes on by itself.");
                return ExitCodes.UNAVAILABLE;
            }
            worker.interrupt();
            worker.join(STOP_MILLIS);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static boolean withdrawn(CommandContext context) {
        return Stoppable.cause(context).filter(cause -> cause == StopCause.WITHDRAWN).isPresent();
    }

    /** Returns what went wrong, or null. */
    private Exception run(String line, InputStream in, OutputStream to) {
        PrintStream out = new PrintStream(to, true, StandardCharsets.UTF_8);
        try (CommandSession session = processor.createSession(in, out, out)) {
            Object result = session.execute(line);
            if (result != null) {
                out.println(session.format(result, Converter.INSPECT));
            }
            out.flush();
            return null;
        } catch (Exception e) {
            return e;
        }
    }

    private static void refuse(Exception problem) {
        if (problem != null) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Gogo refused the line: " + problem.getMessage() + ".",
                    problem);
        }
    }
}
