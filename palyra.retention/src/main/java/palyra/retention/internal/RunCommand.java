package palyra.retention.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;

/** {@code retention run}. */
final class RunCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "retention run",
                    "Removes now what is older than it is kept",
                    """
                    Removes what palyra retention plan counts. What is erased from a tape cannot be
                    brought back; its hashes and signatures stay. Ctrl-C ends it after the unit that
                    is under way. Exit code 1: something could not be removed.\
                    """,
                    List.of(
                            OptionSpec.choice(
                                    "kind",
                                    "KIND",
                                    "Only this kind",
                                    Arrays.stream(Kind.values()).map(Kind::word).toList())),
                    List.of(),
                    RetentionCommands.RUN,
                    true);

    private final Retention retention;

    RunCommand(Retention retention) {
        this.retention = retention;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        Set<Kind> kinds =
                context.arguments()
                        .option("kind")
                        .map(word -> EnumSet.of(Kind.of(word)))
                        .orElse(EnumSet.allOf(Kind.class));
        Map<Kind, Removed> removed =
                retention.sweep(
                        kinds,
                        context::cancelled,
                        kind -> context.output().progress("removing " + kind.removes()));
        List<List<?>> rows = new ArrayList<>();
        removed.forEach(
                (kind, sum) ->
                        rows.add(
                                List.of(
                                        kind.word(),
                                        sum.runs(),
                                        sum.records(),
                                        sum.bytes(),
                                        sum.rows(),
                                        sum.skipped())));
        context.output()
                .table(
                        List.of(
                                "Kind",
                                "Runs",
                                "Records erased",
                                "Erased bytes",
                                "Rows dropped",
                                "Not removed"),
                        rows);
        kinds.stream()
                .filter(kind -> !removed.containsKey(kind))
                .forEach(kind -> context.output().note(kind.word() + " are kept for good."));
        if (context.cancelled()) {
            throw new PalyraException(
                    ErrorCode.CANCELLED, "The sweep was cancelled; the next removes the rest.");
        }
        Removed all = Removed.sum(removed);
        if (all.skipped() > 0) {
            context.output().note("Not removed: " + all.problem());
        }
        return all.skipped() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
