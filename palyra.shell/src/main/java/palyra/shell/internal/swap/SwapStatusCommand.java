package palyra.shell.internal.swap;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;

/** {@code swap status [OPERATION]}: what became of swaps. */
@Component(service = Command.class)
public final class SwapStatusCommand extends ShellCommand {
    private final Swapper swapper;

    @Activate
    public SwapStatusCommand(@Reference Swapper swapper) {
        super(
                spec(
                        "swap status",
                        "Shows what became of a swap, or lists those of late.",
                        "",
                        "bundle.list",
                        List.of(),
                        List.of(
                                PositionalSpec.optional(
                                        "OPERATION", "Id of a swap, or last for the newest one"))));
        this.swapper = swapper;
    }

    @Override
    public int run(CommandContext context) {
        if (context.arguments().positional(0).isEmpty()) {
            context.output()
                    .table(
                            List.of("Operation", "Bundle", "Outcome", "Started", "Message"),
                            swapper.operations().stream().map(SwapStatusCommand::row).toList());
            return ExitCodes.OK;
        }
        String text = context.arguments().positionals().get(0);
        String id = text.equals("last") ? text : Words.id(text, "id of a swap");
        Optional<SwapRecord> found =
                text.equals("last")
                        ? swapper.operations().stream()
                                .max(Comparator.comparingLong(SwapRecord::startedAtMillis))
                        : swapper.operation(id);
        SwapRecord swap =
                found.orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        (text.equals("last")
                                                        ? "There was no swap yet"
                                                        : "There is no swap " + id)
                                                + "; list them with palyra swap status."));
        context.output().fields(SwapRun.fields(swap));
        return SwapRun.exitCode(swap);
    }

    private static List<String> row(SwapRecord swap) {
        return List.of(
                swap.operationId(),
                swap.bundle(),
                swap.phase().name(),
                Words.time(swap.startedAtMillis()),
                swap.message());
    }
}
