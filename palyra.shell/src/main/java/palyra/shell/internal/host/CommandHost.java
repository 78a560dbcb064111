package palyra.shell.internal.host;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.AccessRequest;

/**
 * Runs commands: finds the command, checks its arguments, requires permission, runs it, and turns
 * every failure into one line and an exit code. Thread-safe.
 */
@Component(service = CommandHost.class)
public final class CommandHost {
    private static final Logger LOG = LoggerFactory.getLogger(CommandHost.class);
    private static final long WITHDRAW_MILLIS = 3_000;
    private static final String HELP_ACTION = "command.help";

    private final CommandRegistry registry;
    private final Seams seams;
    private final Set<Execution> running = ConcurrentHashMap.newKeySet();
    private final AtomicLong count = new AtomicLong();
    private final Consumer<Offer> removal = this::withdraw;

    @Activate
    public CommandHost(@Reference CommandRegistry registry, @Reference Seams seams) {
        this.registry = registry;
        this.seams = seams;
        registry.onRemoval(removal);
    }

    @Deactivate
    void deactivate() {
        registry.offRemoval(removal);
        withdrawAll(running);
    }

    private void withdraw(Offer gone) {
        withdrawAll(running.stream().filter(execution -> execution.isOf(gone)).toList());
    }

    private static void withdrawAll(Iterable<Execution> executions) {
        executions.forEach(execution -> execution.stop(StopCause.WITHDRAWN));
        long deadline = System.nanoTime() + WITHDRAW_MILLIS * 1_000_000;
        for (Execution execution : executions) {
            execution.await(Math.max(0, (deadline - System.nanoTime()) / 1_000_000));
        }
    }

    /**
     * Starts a command and returns at once.
     *
     * @param caller supplies the caller; called on the command's thread, may throw a refusal
     */
    public Execution start(Request request, Supplier<Principal> caller, Execution.Streams streams) {
        Execution execution = new Execution(request, caller, streams);
        running.add(execution);
        String name = request.argv().isEmpty() ? "help" : request.argv().get(0);
        execution.start(
                "palyra-command-" + count.incrementAndGet() + "-" + SafeText.line(name),
                () -> guarded(execution),
                () -> running.remove(execution));
        return execution;
    }

    private int guarded(Execution execution) {
        TextWriter err = new TextWriter(execution.err());
        try {
            return run(execution);
        } catch (OutputClosedException e) {
            return interrupted(execution, err);
        } catch (PalyraException e) {
            return say(execution, err, e.code(), e.getMessage());
        } catch (InterruptedException e) {
            return cancelled(execution, err);
        } catch (Exception | LinkageError e) {
            return unexpected(execution, err, e);
        }
    }

    private int run(Execution execution) throws Exception {
        Principal principal = execution.caller();
        CommandLine line = CommandLine.of(execution.request().argv(), registry);
        if (line.offer() == null) {
            ask(principal, HELP_ACTION);
            return overview(execution, principal, line);
        }
        CommandSpec spec = line.offer().spec();
        ParsedLine parsed = line.parse();
        try (ExecutionContext context =
                new ExecutionContext(execution, principal, parsed, spec.name())) {
            return run(execution, line, parsed, context);
        }
    }

    private int run(
            Execution execution, CommandLine line, ParsedLine parsed, ExecutionContext context)
            throws Exception {
        Principal principal = context.principal();
        CommandSpec spec = line.offer().spec();
        if (parsed.help()) {
            ask(principal, HELP_ACTION);
            Help.explain(spec, parsed.json(), context.output());
            return ExitCodes.OK;
        }
        Permit permit = authorize(principal, line.offer(), parsed);
        recordWaits(permit)
                .ifPresent(sentence -> note(execution, new TextWriter(execution.err()), sentence));
        context.permitted(permit);
        execution.runs(line.offer());
        int code = line.offer().command().run(context);
        context.out().flush();
        return code;
    }

    private int overview(Execution execution, Principal principal, CommandLine line) {
        List<CommandSpec> specs =
                registry.specs().stream().filter(spec -> line.covers(spec.name())).toList();
        try (ExecutionContext context =
                new ExecutionContext(execution, principal, line.bare(), "help")) {
            Help.list(specs, context.json(), context.output());
        }
        return ExitCodes.OK;
    }

    private void ask(Principal principal, String action) {
        seams.access().run(access -> access.authorizeRead(AccessRequest.of(principal, action, "")));
    }

    private Permit authorize(Principal principal, Offer offer, ParsedLine parsed) {
        CommandSpec spec = offer.spec();
        AccessRequest question =
                new AccessRequest(
                        principal,
                        spec.action(),
                        "command:" + spec.name().replace(' ', '.'),
                        offer.command() instanceof AuthorizesEachResource ? principal.id() : "",
                        facts(offer, parsed));
        return seams.access()
                .call(
                        access ->
                                spec.mutating()
                                        ? access.authorizeAndRecord(question)
                                        : access.authorizeRead(question));
    }

    private Optional<String> recordWaits(Permit permit) {
        return permit.source() == DecisionSource.BREAK_GLASS
                ? Seams.ifPresent(seams.access(), access -> access.recordWaits(permit))
                        .flatMap(sentence -> sentence)
                : Optional.empty();
    }

    /** Values of arguments may be secrets; only commands that say they are not get recorded. */
    private static Map<String, String> facts(Offer offer, ParsedLine parsed) {
        Map<String, String> facts = new HashMap<>();
        facts.put("command", offer.spec().name());
        facts.put("bundle", offer.origin());
        if (offer.command() instanceof RecordsArguments) {
            facts.put("arguments", String.join(" ␣ ", parsed.arguments().positionals()));
        }
        return facts;
    }

    private static int interrupted(Execution execution, TextWriter err) {
        boolean withdrawn =
                execution.stopCause().filter(cause -> cause == StopCause.WITHDRAWN).isPresent();
        return withdrawn
                ? say(
                        execution,
                        err,
                        ErrorCode.GATEWAY_UNAVAILABLE,
                        "The shell or the bundle of this command is being replaced; run it again.")
                : ExitCodes.CANCELLED;
    }

    private int cancelled(Execution execution, TextWriter err) {
        int code = interrupted(execution, err);
        if (code == ExitCodes.CANCELLED && execution.request().interactive()) {
            note(execution, err, "cancelled");
        }
        return code;
    }

    private int unexpected(Execution execution, TextWriter err, Throwable problem) {
        if (execution.stopCause().isPresent()) { // such as a read of input that ended for it
            return cancelled(execution, err);
        }
        String name = String.join(" ", execution.request().argv().stream().limit(2).toList());
        LOG.error("The command {} failed", SafeText.line(name), problem);
        say(
                execution,
                err,
                ErrorCode.INTERNAL,
                "The command failed unexpectedly; the log has the details: palyra logs");
        if (verbose(execution)) {
            StringWriter trace = new StringWriter();
            problem.printStackTrace(new PrintWriter(trace, true));
            quietly(err, trace.toString());
        }
        return ExitCodes.INTERNAL;
    }

    private static boolean verbose(Execution execution) {
        return options(execution).anyMatch(CommandLine.VERBOSE::contains);
    }

    private static Stream<String> options(Execution execution) {
        return execution.request().argv().stream().takeWhile(word -> !word.equals("--"));
    }

    /** Writes an error, as a line for a person, or as one JSON object where JSON was asked for. */
    private static int say(Execution execution, TextWriter err, ErrorCode code, String sentence) {
        if (options(execution).anyMatch("--json"::equals)) {
            ObjectNode root = JsonNodeFactory.instance.objectNode();
            root.putObject("error").put("code", code.name()).put("message", sentence);
            quietly(err, root + "\n");
        } else {
            note(execution, err, sentence);
        }
        return ExitCodes.of(code);
    }

    private static void note(Execution execution, TextWriter err, String sentence) {
        String text = "palyra: " + SafeText.line(sentence);
        int columns = execution.request().terminalErr() ? execution.columns() : 0;
        quietly(err, DisplayWidth.wrap(text, columns, "") + "\n");
    }

    private static void quietly(TextWriter err, String text) {
        try {
            err.write(text);
        } catch (OutputClosedException e) {
            LOG.debug("The caller left before the error was written", e);
        }
    }
}
