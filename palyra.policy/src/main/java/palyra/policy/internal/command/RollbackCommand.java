package palyra.policy.internal.command;

import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.PositionalSpec;

/** {@code policy rollback SHA}: brings an earlier set into force again. */
final class RollbackCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy rollback",
                    "Brings an earlier policy set into force again",
                    "The set is taken as it was checked then. It stays until palyra policy"
                            + " reload, even if files are saved meanwhile.",
                    List.of(),
                    List.of(
                            PositionalSpec.required(
                                    "SHA", "Digest, or its beginning, from palyra policy history")),
                    PolicyServices.ROLLBACK,
                    true);

    private final PolicyServices services;

    RollbackCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        String sha256 = Digest.beginning(context.arguments().positional(0).orElse(""));
        String whole = services.sets().stored(sha256).view().sha256();
        return ReportView.write(context, services.sets().rollback(context.permit(), whole), "");
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index == 0 ? services.complete(prefix) : List.of();
    }
}
