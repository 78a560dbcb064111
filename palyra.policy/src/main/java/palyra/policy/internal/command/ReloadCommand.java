package palyra.policy.internal.command;

import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;

/** {@code policy reload}: brings the saved files into force. */
final class ReloadCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy reload",
                    "Reads the policy folder again and brings it into force",
                    "Ends a rollback or apply, and lets the compiled engine decide again after a"
                            + " disagreement. A set that lacks a forbid of the one in force, or"
                            + " has no policy, must be confirmed by its digest.",
                    List.of(PathArguments.CONFIRM),
                    List.of(),
                    PolicyServices.RELOAD,
                    true);

    private final PolicyServices services;

    ReloadCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        String confirm = context.arguments().option("confirm").orElse("");
        Digest.requireWhole(confirm);
        return ReportView.write(
                context, services.sets().reload(context.permit(), confirm), "reload --confirm");
    }
}
