package palyra.retention.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, Object> fields = new LinkedHashMap<>();
        if (context.json()) {
            fields.put("kinds", Arrays.stream(Kind.values()).map(this::object).toList());
        } else {
            context.output()
                    .table(
                            List.of("Kind", "Kept", "Removed then"),
                            Arrays.stream(Kind.values()).map(this::row).toList());
        }
        Optional<LastSweep> last = retention.lastSweep();
        fields.put("lastSweep", last.map(LastSweep::atMillis).map(ShowCommand::time).orElse(""));
        fields.put("notRemoved", last.map(LastSweep::failure).orElse(""));
        fields.put("suspended", retention.suspended());
        fields.put("sweepMinutes", sweepMinutes);
        context.output().fields(fields);
        return ExitCodes.OK;
    }

    private List<?> row(Kind kind) {
        return List.of(kind.word(), retention.ages().words(kind), kind.removes());
    }

    private Map<String, Object> object(Kind kind) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kind", kind.word());
        object.put("keptHours", retention.ages().hours(kind));
        object.put("removedThen", kind.removes());
        return object;
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
