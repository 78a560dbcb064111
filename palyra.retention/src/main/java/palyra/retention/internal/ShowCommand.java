package palyra.retention.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;

/** {@code retention show}. */
final class ShowCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "retention show",
                    "Shows how long the journal keeps what, and the last sweep",
                    "The ages are the configuration palyra.retention.",
                    List.of(),
                    List.of(),
                    RetentionCommands.READ,
                    false);

    private final Retention retention;
    private final int sweepMinutes;

    ShowCommand(Retention retention, int sweepMinutes) {
        this.retention = retention;
        this.sweepMinutes = sweepMinutes;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        List<List<?>> rows = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            rows.add(List.of(kind.word(), retention.ages().words(kind), kind.removes()));
        }
        context.output().table(List.of("Kind", "Kept", "Removed then"), rows);
        Optional<LastSweep> last = retention.lastSweep();
        context.output()
                .note(
                        last.map(
                                                sweep ->
                                                        "Last sweep: "
                                                                + Instant.ofEpochMilli(
                                                                        sweep.atMillis())
                                                                + "; "
                                                                + (sweep.failure().isEmpty()
                                                                        ? "all that was due was removed."
                                                                        : sweep.failure()))
                                        .orElse("No sweep yet.")
                                + " A sweep begins "
                                + sweepMinutes
                                + " min after the one before.");
        return ExitCodes.OK;
    }
}
