package palyra.shell.internal.host;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.AccessRequest;

/** {@code completion WORDS…}: completions; with {@code --bash} the completion script. */
final class CompletionCommand implements Command {
    private static final String BASH =
            """
            # bash completion for palyra. Load it with:
            #   eval "$(palyra completion --bash)"
            _palyra() {
                local word
                COMPREPLY=()
                while IFS= read -r word; do
                    COMPREPLY+=("$(printf '%q' "$word")")
                done < <("${COMP_WORDS[0]}" completion -- \\
                    "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
            }
            complete -o default -F _palyra palyra ./palyra
            """;

    private final CommandRegistry registry;
    private final Seams seams;

    CompletionCommand(CommandRegistry registry, Seams seams) {
        this.registry = registry;
        this.seams = seams;
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "completion",
                "Prints completions for a command line.",
                "Give the words typed so far after --, the last one as far as it was typed.",
                List.of(OptionSpec.flag("bash", "Print the script for bash instead.")),
                List.of(new PositionalSpec("WORDS", "The words typed so far", false, true)),
                "command.help",
                false);
    }

    @Override
    public int run(CommandContext context) {
        if (context.arguments().flag("bash")) {
            context.output().raw(BASH);
            return ExitCodes.OK;
        }
        List<String> found =
                new Completion(registry, spec -> mayRun(context, spec))
                        .candidates(context.arguments().positionals());
        if (context.json()) {
            context.output().fields(Fields.of("candidates", found));
        } else {
            found.forEach(context.output()::line);
        }
        return ExitCodes.OK;
    }

    /** Names of resources are shown only to callers who may run the command. */
    private boolean mayRun(CommandContext context, CommandSpec spec) {
        try {
            seams.access()
                    .run(
                            access ->
                                    access.authorizeRead(
                                            AccessRequest.of(
                                                    context.principal(), spec.action(), "")));
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.INTERNAL) {
                throw e;
            }
            return false;
        }
    }
}
