package palyra.deploy.internal;

import java.util.List;
import java.util.function.Supplier;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;

/** {@code deploy pins}: the pins. */
final class DeployPinsCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "deploy pins",
                    "Lists the pins, their origins and the files that they cover",
                    "",
                    List.of(),
                    List.of(),
                    DeployListCommand.ACTION,
                    false);

    private final Reporter reporter;
    private final PinStore pins;
    private final Supplier<List<String>> configured;

    /**
     * @param configured the configured lines
     */
    DeployPinsCommand(Reporter reporter, PinStore pins, Supplier<List<String>> configured) {
        this.reporter = reporter;
        this.pins = pins;
        this.configured = configured;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        DeployView view = reporter.view();
        PinSet all = new PinSet(configured.get(), pins.load());
        context.output()
                .table(
                        List.of("Pin", "From", "Note", "Files"),
                        all.entries().stream().map(entry -> row(entry, view)).toList());
        DeployListCommand.notes(context, view);
        return ExitCodes.OK;
    }

    private static List<?> row(PinSet.Entry entry, DeployView view) {
        List<String> files =
                view.rows().stream()
                        .filter(row -> row.pin().map(entry::equals).orElse(false))
                        .map(Row::file)
                        .toList();
        return List.of(entry.pin().toString(), entry.origin(), entry.note(), files);
    }
}
