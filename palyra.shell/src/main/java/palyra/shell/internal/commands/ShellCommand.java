package palyra.shell.internal.commands;

import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

/**
 * A command with a fixed spec. None of those that go through a service which records its own permit
 * is marked as mutating: the record of the change itself says who was permitted.
 */
public abstract class ShellCommand implements Command {
    private final CommandSpec spec;

    /** Takes the spec. */
    protected ShellCommand(CommandSpec spec) {
        this.spec = spec;
    }

    @Override
    public final CommandSpec spec() {
        return spec;
    }

    /** Returns the spec of a command that the shell need not record. */
    protected static CommandSpec spec(
            String name,
            String summary,
            String details,
            String action,
            List<OptionSpec> options,
            List<PositionalSpec> positionals) {
        return new CommandSpec(name, summary, details, options, positionals, action, false);
    }

    /** Returns the spec of a command that is recorded before it runs. */
    protected static CommandSpec recorded(
            String name,
            String summary,
            String details,
            String action,
            List<OptionSpec> options,
            List<PositionalSpec> positionals) {
        return new CommandSpec(name, summary, details, options, positionals, action, true);
    }
}
