package palyra.api.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.Require;

/**
 * Arguments that were checked against the command's {@link CommandSpec}.
 *
 * @param options values by option name; a given flag has the one value {@code true}
 * @param positionals the positional arguments in order
 */
public record CommandArguments(Map<String, List<String>> options, List<String> positionals) {
    /** Copies. */
    public CommandArguments {
        options = Map.copyOf(options);
        positionals = List.copyOf(positionals);
    }

    /** Returns whether a flag was given. */
    public boolean flag(String name) {
        return options.containsKey(name);
    }

    /** Returns the value of an option, the last one when it was repeated. */
    public Optional<String> option(String name) {
        List<String> values = options.getOrDefault(name, List.of());
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
    }

    /** Returns the positional argument at {@code index}, counted from 0. */
    public Optional<String> positional(int index) {
        return index < positionals.size() ? Optional.of(positionals.get(index)) : Optional.empty();
    }

    /**
     * Returns a whole number from an option, or {@code otherwise} when it was not given.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT naming the option, the value and the
     *     range
     */
    public int number(String name, int otherwise, int min, int max) {
        Optional<String> given = option(name);
        if (given.isEmpty()) {
            return otherwise;
        }
        String text = given.get();
        boolean usable = text.matches("-?[0-9]{1,9}");
        int value = usable ? Integer.parseInt(text) : 0;
        Require.that(
                usable && value >= min && value <= max,
                "--" + name + " is '" + text + "': give a whole number from " + min + " to " + max);
        return value;
    }
}
