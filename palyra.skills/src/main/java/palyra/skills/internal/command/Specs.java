package palyra.skills.internal.command;

import java.util.List;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

/** Builds specs of commands. None is marked as mutating: a change is recorded with its permit. */
final class Specs {
    static final PositionalSpec ID =
            PositionalSpec.required("ID[@VERSION]", "A skill, or one version of it");
    static final PositionalSpec FILE =
            PositionalSpec.required("FILE", "A .palyra-skill file, or - for standard input");
    static final OptionSpec YES =
            OptionSpec.flag(Confirmation.YES, "Do not ask for a confirmation");
    static final OptionSpec OVERRIDE =
            OptionSpec.value(
                    "override", "REASON", "Accept that checks of the audit failed, and say why");

    private Specs() {}

    static CommandSpec of(
            String name,
            String action,
            String summary,
            String details,
            List<OptionSpec> options,
            PositionalSpec... positionals) {
        return new CommandSpec(
                "skills " + name, summary, details, options, List.of(positionals), action, false);
    }
}
