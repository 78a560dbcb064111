package palyra.shell.internal.swap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Stoppable;

/** A command's way with a plan: say what it takes along, carry it out, say what became of it. */
record SwapRun(Swapper swapper) {
    private static final int DEFAULT_SECONDS = 20;

    /** Returns the options of every command that swaps, and some more. */
    static List<OptionSpec> options(OptionSpec... more) {
        List<OptionSpec> options = new ArrayList<>();
        options.add(OptionSpec.flag("dry-run", "Check only, change nothing"));
        options.add(OptionSpec.flag("no-wait", "Begin, and end without waiting for the outcome"));
        options.add(
                OptionSpec.value(
                        "timeout", "SECONDS", "How long to wait for health, 1 to 120 (20)"));
        options.addAll(List.of(more));
        return options;
    }

    int carryOut(CommandContext context, SwapPlan plan) throws IOException {
        CommandArguments given = context.arguments();
        long timeout = TimeUnit.SECONDS.toMillis(given.number("timeout", DEFAULT_SECONDS, 1, 120));
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
        if (plan.ownBundle() || given.flag("no-wait")) {
            context.output()
                    .note(
                            (plan.ownBundle()
                                            ? "The shell itself goes away in this swap, so this"
                                                    + " command ends now"
                                            : "The swap has begun")
                                    + "; see the outcome with: palyra swap status "
                                    + begun.operationId());
            if (context.json()) {
                tell(context, plan, begun);
            }
            return ExitCodes.OK;
        }
        return result(context, plan, begun.operationId(), timeout);
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
}
