package palyra.api.command;

import java.util.List;
import palyra.api.Require;

/**
 * One option of a command.
 *
 * @param name long name without dashes, such as {@code session}
 * @param valueName what the value is called in the help, such as {@code ID}; empty means the option
 *     is a flag
 * @param description one line for the help
 * @param values the only values it takes, offered as completion; empty means any
 * @param repeatable whether it may be given more than once
 */
public record OptionSpec(
        String name,
        String valueName,
        String description,
        List<String> values,
        boolean repeatable) {
    /** Checks and copies. */
    public OptionSpec {
        Require.that(
                name != null && name.matches("[a-z][a-z0-9-]*"),
                "option name '" + name + "' is not usable");
        valueName = Require.orEmpty(valueName);
        Require.text(description, "description of option --" + name);
        values = List.copyOf(values);
    }

    /** Returns an option that is there or not. */
    public static OptionSpec flag(String name, String description) {
        return new OptionSpec(name, "", description, List.of(), false);
    }

    /** Returns an option that takes any value. */
    public static OptionSpec value(String name, String valueName, String description) {
        return new OptionSpec(name, valueName, description, List.of(), false);
    }

    /** Returns an option that takes one of a few values. */
    public static OptionSpec choice(
            String name, String valueName, String description, List<String> values) {
        return new OptionSpec(name, valueName, description, values, false);
    }

    /** Returns whether the option takes no value. */
    public boolean isFlag() {
        return valueName.isEmpty();
    }
}
