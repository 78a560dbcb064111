package palyra.skills.internal.command;

import java.util.List;
import java.util.function.Function;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.skills.internal.RefusedException;

/** A command made of a spec and an action. Refusals become the exceptions that shells show. */
final class SkillsCommand implements Command {
    private final CommandSpec spec;
    private final Body body;
    private final Function<String, List<String>> completion;

    /** The action of a command. */
    interface Body {
        /** Returns the exit code. */
        int run(CommandContext context) throws Exception;
    }

    /**
     * @param completion candidates for the first argument by what was typed of it
     */
    SkillsCommand(CommandSpec spec, Body body, Function<String, List<String>> completion) {
        this.spec = spec;
        this.body = body;
        this.completion = completion;
    }

    SkillsCommand(CommandSpec spec, Body body) {
        this(spec, body, prefix -> List.of());
    }

    @Override
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public int run(CommandContext context) throws Exception {
        try {
            return body.run(context);
        } catch (RefusedException e) {
            throw e.asPalyra();
        }
    }

    @Override
    public List<String> complete(int index, String prefix) {
        try {
            return index == 0 ? completion.apply(prefix) : List.of();
        } catch (RuntimeException e) {
            return List.of(); // no completions while the ledger cannot be read
        }
    }
}
