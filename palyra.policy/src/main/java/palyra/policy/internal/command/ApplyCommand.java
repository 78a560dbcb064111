package palyra.policy.internal.command;

import java.nio.file.Path;
import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.PositionalSpec;

/** {@code policy apply FOLDER}: brings the set of another folder into force. */
final class ApplyCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy apply",
                    "Brings the policy set of another folder into force",
                    "The operator's files are left alone; they wait until palyra policy reload."
                            + " Try palyra policy plan FOLDER first.",
                    List.of(PathArguments.CONFIRM),
                    List.of(PositionalSpec.required("FOLDER", "Folder with the whole set")),
                    PolicyServices.APPLY,
                    true);

    private final PolicyServices services;

    ApplyCommand(PolicyServices services) {
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
        String named = context.arguments().positional(0).orElse("");
        Path folder = PathArguments.folder(context, 0).orElseThrow();
        return ReportView.write(
                context,
                services.sets().apply(context.permit(), folder, confirm),
                "apply " + named + " --confirm");
    }
}
