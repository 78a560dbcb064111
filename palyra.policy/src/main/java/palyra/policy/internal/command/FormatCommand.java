package palyra.policy.internal.command;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Converted;

/** {@code policy format FILE}: prints policies in the usual form. Never writes the file. */
final class FormatCommand implements Command {
    static final int WIDTH = 80;
    static final int INDENT = 2;
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy format",
                    "Prints a policy file in the usual form",
                    "The file is not changed. Exit code 1 when it has errors, and with --check"
                            + " when it is not in that form.",
                    List.of(OptionSpec.flag("check", "Only say whether it is in that form")),
                    List.of(
                            PositionalSpec.required(
                                    "FILE", "A .cedar file, or - for standard input")),
                    PolicyServices.VALIDATE,
                    false);

    private final PolicyServices services;

    FormatCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String name = context.arguments().positional(0).orElse("");
        String text = PathArguments.text(context, name);
        String shown = ProblemOutput.shown(name);
        Converted formatted =
                ProblemOutput.callEngine(
                        () -> services.engine().format(CedarFile.of(shown, text), WIDTH, INDENT));
        if (!formatted.ok()) {
            return ProblemOutput.write(context, ProblemOutput.of(formatted.diagnostics()));
        }
        boolean same = formatted.text().equals(text);
        if (context.json()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("file", shown);
            fields.put("formatted", same);
            fields.put("text", formatted.text());
            context.output().fields(fields);
        } else if (!context.arguments().flag("check")) {
            context.output().raw(formatted.text());
        } else {
            context.output().line(shown + (same ? " is formatted." : " is not formatted."));
        }
        return same || !context.arguments().flag("check") ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
