package palyra.policy.internal.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.policy.internal.set.Snapshot;

/** {@code policy explain}: what would be decided, and why. Decides nothing. */
final class ExplainCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy explain",
                    "Explains how the policies decide a policy request",
                    "Shows the decision, the policies that made it and where they stand, the"
                            + " conditions that do not hold, and what both engines say. Nothing"
                            + " happens and no approval is requested.",
                    options(),
                    List.of(),
                    PolicyServices.EXPLAIN,
                    false);

    private final PolicyServices services;

    ExplainCommand(PolicyServices services) {
        this.services = services;
    }

    private static List<OptionSpec> options() {
        List<OptionSpec> options = new ArrayList<>(PolicyRequestParser.OPTIONS);
        options.add(PathArguments.SET);
        options.add(OptionSpec.flag("all", "Also list policies that are about something else"));
        return options;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        PolicyRequest request = PolicyRequestParser.parse(context);
        Snapshot snapshot =
                services.snapshot(
                        context.arguments().option("set").map(Digest::beginning).orElse(""));
        DecisionExplanation.of(snapshot, services.check(), request)
                .write(context, context.arguments().flag("all"));
        return ExitCodes.OK;
    }
}
