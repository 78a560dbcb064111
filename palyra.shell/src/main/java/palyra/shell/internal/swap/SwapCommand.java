package palyra.shell.internal.swap;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shared.files.CallerFiles;
import palyra.shell.internal.commands.CallerInput;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Stoppable;

/** {@code swap BUNDLE JAR}: replaces a bundle while everything runs. */
@Component(service = Command.class)
public final class SwapCommand extends ShellCommand {
    private static final int DEFAULT_SECONDS = 20;

    private final Swapper swapper;

    @Activate
    public SwapCommand(@Reference Swapper swapper) {
        super(
                spec(
                        "swap",
                        "Replaces a bundle while everything runs, and undoes it when it fails.",
                        """
                        The jar is checked first: readable, of the same name, resolvable here. Then
                        the bundle is updated and watched until it and everything that worked
                        before works again; otherwise the old content is put back.
                        A swap lasts until the next start; to keep it, replace the installed jar
                        too. With - as JAR it is read from standard input.
                        Exit code 0: the new content is at work; 1: it was undone.""",
                        "bundle.swap",
                        List.of(
                                OptionSpec.flag("dry-run", "Check only, change nothing"),
                                OptionSpec.value(
                                        "timeout",
                                        "SECONDS",
                                        "How long to wait for health, 1 to 120 (20)")),
                        List.of(
                                PositionalSpec.required("BUNDLE", "Symbolic name of the bundle"),
                                PositionalSpec.required("JAR", "File of the new content"))));
        this.swapper = swapper;
    }

    @Override
    public int run(CommandContext context) throws IOException, InterruptedException {
        CommandArguments given = context.arguments();
        long timeout = TimeUnit.SECONDS.toMillis(given.number("timeout", DEFAULT_SECONDS, 1, 120));
        SwapPlan plan = plan(context, given.positionals().get(0), given.positionals().get(1));
        announce(context, plan);
        if (given.flag("dry-run")) {
            swapper.discard(plan);
            tell(context, plan, plan.record());
            return ExitCodes.OK;
        }
        CountDownLatch callerGone = new CountDownLatch(1);
        if (plan.ownBundle() && context instanceof Stoppable stoppable) {
            stoppable.afterwards(callerGone::countDown);
        } else {
            callerGone.countDown();
        }
        SwapRecord begun = begin(context, plan, timeout, callerGone);
        if (plan.ownBundle()) {
            context.output()
                    .note(
                            "The shell itself goes away in this swap, so this command ends now; see"
                                    + " the outcome with: palyra swap status "
                                    + begun.operationId());
            if (context.json()) {
                tell(context, plan, begun);
            }
            return ExitCodes.OK;
        }
        return result(context, plan, begun.operationId(), timeout);
    }

    private SwapPlan plan(CommandContext context, String bundle, String jar) throws IOException {
        if (jar.equals("-")) {
            return swapper.plan(bundle, context.in());
        }
        try (InputStream in =
                CallerInput.open(CallerFiles.file(context, jar, "pipe the jar to -"))) {
            return swapper.plan(bundle, in);
        }
    }

    private static void announce(CommandContext context, SwapPlan plan) {
        SwapRecord swap = plan.record();
        context.output().line(swap.bundle() + " " + swap.fromVersion() + " → " + swap.toVersion());
        if (plan.refresh()) {
            context.output()
                    .line("It exports packages: every bundle that uses them restarts with it.");
        }
        List<String> own =
                plan.restarts().stream()
                        .filter(each -> each.endsWith(" of " + swap.bundle()))
                        .toList();
        List<String> others = plan.restarts().stream().filter(each -> !own.contains(each)).toList();
        context.output()
                .line(
                        own.size()
                                + (own.size() == 1
                                        ? " of its components restarts"
                                        : " of its components restart")
                                + (others.isEmpty() ? ", and none beside them." : ", and:"));
        others.forEach(each -> context.output().line("  " + each));
    }

    private SwapRecord begin(
            CommandContext context, SwapPlan plan, long timeout, CountDownLatch callerGone)
            throws IOException {
        boolean begun = false;
        try {
            SwapRecord record = swapper.begin(plan, context.principal(), timeout, callerGone);
            begun = true;
            return record;
        } finally {
            if (!begun) {
                swapper.discard(plan);
            }
        }
    }

    private int result(CommandContext context, SwapPlan plan, String operationId, long timeout) {
        SwapRecord end;
        try {
            // Twice the wait for health, and time for stopping and starting.
            end = swapper.await(operationId, 2 * timeout + TimeUnit.MINUTES.toMillis(2));
        } catch (InterruptedException e) {
            context.output()
                    .note(
                            "The swap goes on by itself; see it with: palyra swap status "
                                    + operationId);
            return ExitCodes.CANCELLED;
        }
        tell(context, plan, end);
        return exitCode(end);
    }

    private static void tell(CommandContext context, SwapPlan plan, SwapRecord swap) {
        if (context.json()) {
            Map<String, Object> fields = fields(swap);
            fields.put("restarts", plan.restarts());
            context.output().fields(fields);
        } else {
            context.output().line(sentence(swap));
        }
    }

    static Map<String, Object> fields(SwapRecord swap) {
        return Fields.of(
                "operationId", swap.operationId(),
                "bundle", swap.bundle(),
                "outcome", swap.phase().name(),
                "message", swap.message(),
                "fromVersion", swap.fromVersion(),
                "toVersion", swap.toVersion(),
                "toSha256", swap.toSha256(),
                "principal", swap.principal(),
                "started", Words.time(swap.startedAtMillis()),
                "ended", Words.time(swap.endedAtMillis()),
                "tookMillis", Math.max(0, swap.endedAtMillis() - swap.startedAtMillis()));
    }

    static String sentence(SwapRecord swap) {
        return switch (swap.phase()) {
            case SUCCEEDED ->
                    "Swapped in "
                            + (swap.endedAtMillis() - swap.startedAtMillis())
                            + " ms; everything works. It lasts until the next start.";
            case ROLLED_BACK -> swap.message() + " The old content is at work again.";
            case FAILED, INTERRUPTED -> swap.message();
            case PLANNED -> "The jar can take the place of " + swap.bundle() + ".";
            case UPDATING, WAITING, ROLLING_BACK -> "The swap is under way: " + swap.phase() + ".";
        };
    }

    static int exitCode(SwapRecord swap) {
        return switch (swap.phase()) {
            case SUCCEEDED, PLANNED -> ExitCodes.OK;
            case ROLLED_BACK, FAILED, INTERRUPTED -> ExitCodes.FAILED;
            case UPDATING, WAITING, ROLLING_BACK -> ExitCodes.UNAVAILABLE;
        };
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index > 0
                ? List.of()
                : swapper.names().stream().filter(name -> name.startsWith(prefix)).toList();
    }
}
