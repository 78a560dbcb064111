package palyra.shell.internal.felix;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.RecordsArguments;
import palyra.shell.internal.host.ShortOptions;
import palyra.shell.internal.host.StopCause;
import palyra.shell.internal.host.Stoppable;

/** One of Felix's commands. Its arguments are values of variables, so Gogo never evaluates them. */
final class FelixCommand implements Command, RecordsArguments, ShortOptions {
    private static final long STOP_MILLIS = 5_000;
    private static final String VARIABLE = "palyraWord";

    private final FelixVerb verb;
    private final CommandProcessor processor;
    private final BundleConverter bundles;
    private final Function<Bundle, List<String>> failures;

    /**
     * Creates it.
     *
     * @param failures returns a sentence for each component of a bundle that fails
     */
    FelixCommand(
            FelixVerb verb,
            CommandProcessor processor,
            BundleConverter bundles,
            Function<Bundle, List<String>> failures) {
        this.verb = verb;
        this.processor = processor;
        this.bundles = bundles;
        this.failures = failures;
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                verb.name(),
                verb.summary(),
                verb.arguments().isEmpty()
                        ? ""
                        : "It takes " + verb.arguments() + ". BUNDLE is an id or symbolic name.",
                List.of(),
                verb.arguments().isEmpty()
                        ? List.of()
                        : List.of(
                                new PositionalSpec(
                                        "WORDS", verb.arguments(), verb.required(), true)),
                verb.action(),
                verb.mutating());
    }

    @Override
    public Set<String> shortOptions() {
        return verb.options();
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
     * It runs on a thread of its own: it may replace this very bundle, and an interrupt in the
     * middle of that would leave the bundle stopped.
     */
    private int execute(CommandContext context, OutputStream to) throws InterruptedException {
        List<String> words = context.arguments().positionals();
        words.forEach(this::refuseFramework);
        words.forEach(this::refuseAccess);
        CompletableFuture<Exception> end = new CompletableFuture<>();
        Thread worker = new Thread(() -> end.complete(run(words, to)), "palyra-felix-command");
        worker.setDaemon(true);
        worker.start();
        try {
            refuse(end.get());
            return starts() ? tellFailures(context, words) : ExitCodes.OK;
        } catch (InterruptedException e) {
            if (withdrawn(context)) {
                context.output().note("The shell goes away; the command goes on by itself.");
                return ExitCodes.UNAVAILABLE;
            }
            worker.interrupt();
            worker.join(STOP_MILLIS);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private boolean starts() {
        return verb.name().equals("bundle start") || verb.name().equals("bundle update");
    }

    /** A bundle is active for Felix while its components fail. */
    private int tellFailures(CommandContext context, List<String> words) {
        List<String> found =
                words.stream()
                        .map(word -> bundles.convert(Bundle.class, word))
                        .filter(Bundle.class::isInstance)
                        .flatMap(bundle -> failures.apply((Bundle) bundle).stream())
                        .toList();
        found.forEach(context.output()::note);
        return found.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static boolean withdrawn(CommandContext context) {
        return Stoppable.cause(context).filter(cause -> cause == StopCause.WITHDRAWN).isPresent();
    }

    /** Leaves out the lines of stack traces, which the log has. */
    private static final class NoTraces extends FilterOutputStream {
        private static final Pattern TRACE =
                Pattern.compile("\\s+(at [\\w.$/]+\\(.*|\\.\\.\\. \\d+ more)\\s*");

        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        NoTraces(OutputStream to) {
            super(to);
        }

        @Override
        public void write(int b) throws IOException {
            line.write(b);
            if (b == '\n') {
                end();
            }
        }

        private void end() throws IOException {
            if (!TRACE.matcher(line.toString(StandardCharsets.UTF_8)).matches()) {
                line.writeTo(out);
            }
            line.reset();
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            end();
            flush();
        }
    }

    /** Returns what went wrong, or null. */
    private Exception run(List<String> words, OutputStream to) {
        try (PrintStream out = new PrintStream(new NoTraces(to), true, StandardCharsets.UTF_8);
                CommandSession session =
                        processor.createSession(InputStream.nullInputStream(), out, out)) {
            Object result = session.execute(line(words, session));
            String text =
                    result == null
                            ? ""
                            : String.valueOf(session.format(result, Converter.INSPECT)).strip();
            if (!verb.succeeded(result)) {
                return new IllegalArgumentException(text.replaceAll("\\s+", " "));
            }
            if (!text.isEmpty() && !(result instanceof Boolean)) {
                out.println(text);
            }
            return null;
        } catch (Exception e) {
            return e;
        }
    }

    /** Returns a line that holds no word of the caller but options, which Gogo has to read. */
    private String line(List<String> words, CommandSession session) {
        StringBuilder line = new StringBuilder(verb.function());
        for (int i = 0; i < words.size(); i++) {
            String word = bundle(words.get(i));
            if (verb.options().contains(word)) {
                line.append(' ').append(word);
            } else {
                session.put(VARIABLE + i, word);
                line.append(" $").append(VARIABLE).append(i);
            }
        }
        return line.toString();
    }

    /** {@code start} alone takes ids and addresses, and no names. */
    private String bundle(String word) {
        if (!verb.function().equals("felix:start")
                || !(bundles.convert(Bundle.class, word) instanceof Bundle bundle)) {
            return word;
        }
        return Long.toString(bundle.getBundleId());
    }

    /** The framework is a bundle too, with an action of its own for being stopped. */
    private void refuseFramework(String word) {
        if (verb.name().startsWith("bundle ")
                && verb.mutating()
                && bundles.convert(Bundle.class, word) instanceof Bundle bundle
                && bundle.getBundleId() == Constants.SYSTEM_BUNDLE_ID) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + word
                            + "' is the framework itself, which is the gateway: stop it with palyra"
                            + " stop, and start it again to replace it.");
        }
    }

    /** Without access control no command is permitted any more, not even the one to start it. */
    private void refuseAccess(String word) {
        if ((verb.name().equals("bundle stop") || verb.name().equals("bundle uninstall"))
                && bundles.convert(Bundle.class, word) instanceof Bundle bundle
                && "palyra.access".equals(bundle.getSymbolicName())) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Without palyra.access no command is permitted, and it could not be started"
                            + " again: replace it with palyra swap or bundle update, or stop the"
                            + " gateway with palyra stop.");
        }
    }

    private static String words(Exception problem) {
        String message = String.valueOf(problem.getMessage());
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }

    private void refuse(Exception problem) {
        if (problem != null) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Felix refused "
                            + verb.name()
                            + ": "
                            + words(problem)
                            + (verb.arguments().isEmpty()
                                    ? "."
                                    : ". It takes " + verb.arguments() + "."),
                    problem);
        }
    }
}
