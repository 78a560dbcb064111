package palyra.shell.internal.swap;

import java.io.IOException;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;

/** {@code swap back BUNDLE}: takes the last swap of a bundle back. */
@Component(service = Command.class)
public final class SwapBackCommand extends ShellCommand {
    private static final String OF = "id of a swap";

    private final Swapper swapper;

    @Activate
    public SwapBackCommand(@Reference Swapper swapper) {
        super(
                spec(
                        "swap back",
                        "Puts back the content that the last swap of a bundle replaced.",
                        """
                        It is a swap itself: checked, watched, undone when it fails, recorded. What
                        the five newest swaps that succeeded replaced is kept until the next start.
                        Exit code 0: the old content is at work; 1: it was undone.""",
                        "bundle.swap",
                        SwapRun.options(
                                OptionSpec.value(
                                        "of",
                                        "OPERATION",
                                        "Only if this swap is the last that succeeded")),
                        List.of(PositionalSpec.required("BUNDLE", "Symbolic name of the bundle"))));
        this.swapper = swapper;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String of = context.arguments().option("of").map(id -> Words.id(id, OF)).orElse("");
        SwapPlan plan = swapper.planBack(context.arguments().positionals().get(0), of);
        return new SwapRun(swapper).carryOut(context, plan);
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index > 0
                ? List.of()
                : swapper.names().stream().filter(name -> name.startsWith(prefix)).toList();
    }
}
