package palyra.retention.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;

/** {@code retention plan}. */
final class PlanCommand implements Command {
    private static final long MOST = 100_000;
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "retention plan",
                    "Counts what a sweep would remove now",
                    "Counts to " + MOST + " of each kind. Nothing is removed.",
                    List.of(),
                    List.of(),
                    RetentionCommands.READ,
                    false);

    private final Retention retention;

    PlanCommand(Retention retention) {
        this.retention = retention;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        Map<Kind, Long> due = retention.due(MOST, context::cancelled);
        List<List<?>> rows = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            boolean kept = !due.containsKey(kind);
            rows.add(
                    Arrays.asList(
                            kind.word(),
                            context.json()
                                    ? retention.ages().hours(kind)
                                    : retention.ages().words(kind),
                            kept ? 0L : due.get(kind),
                            kind.counted(),
                            !kept && due.get(kind) >= MOST));
        }
        String age = context.json() ? "Kept hours" : "Kept";
        context.output().table(List.of("Kind", age, "Due", "Of", "And more"), rows);
        return ExitCodes.OK;
    }
}
