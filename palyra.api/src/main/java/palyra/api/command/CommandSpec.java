package palyra.api.command;

import java.util.List;
import palyra.api.Require;

/**
 * The name, options and arguments of a command. The shell checks arguments against it, offers
 * completion and writes the help from it.
 *
 * <p>The options {@code --help} and {@code --json} exist for every command and are not listed.
 *
 * @param name one or two words, such as {@code status} or {@code tape verify}
 * @param summary one line for the list of commands
 * @param details further lines for the help; may be empty
 * @param options its options
 * @param positionals its positional arguments in order
 * @param action the policy action that is authorized before it runs, such as {@code tape.read};
 *     never empty
 * @param mutating whether it changes state; such a command is recorded before it runs
 */
public record CommandSpec(
        String name,
        String summary,
        String details,
        List<OptionSpec> options,
        List<PositionalSpec> positionals,
        String action,
        boolean mutating) {
    /** Checks and copies. */
    public CommandSpec {
        Require.that(
                name != null && name.matches("[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)?"),
                "command name '" + name + "' is not usable: one or two lower-case words");
        Require.text(summary, "summary of command " + name);
        details = Require.orEmpty(details);
        options = List.copyOf(options);
        positionals = List.copyOf(positionals);
        Require.text(action, "action of command " + name);
    }
}
