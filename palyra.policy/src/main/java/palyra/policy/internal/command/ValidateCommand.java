package palyra.policy.internal.command;

import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.PositionalSpec;

/** {@code policy validate [FOLDER]}: everything that a reload would check, without effect. */
final class ValidateCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy validate",
                    "Checks a policy set as a reload would, without any effect",
                    "Syntax, schema, names, annotations, cases, recent requests on both engines,"
                            + " and what protection would be lost. Exit code 0: it could come"
                            + " into force; 1: it could not, or only when confirmed.",
                    List.of(),
                    List.of(
                            PositionalSpec.optional(
                                    "FOLDER", "Folder in the place of the operator's")),
                    PolicyServices.VALIDATE,
                    false);

    private final PolicyServices services;

    ValidateCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        return ReportView.write(
                context, services.sets().check(PathArguments.folder(context, 0)), "");
    }
}
