package palyra.console.internal.command;

import java.util.ArrayList;
import java.util.List;

/**
 * A command line of the console: the command's words, then options, then arguments behind {@code
 * --}, so that nothing that a person typed is taken for an option. Not thread-safe.
 */
public final class CommandWords {
    private final String command;
    private final List<String> options = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();

    private CommandWords(String command) {
        this.command = command;
    }

    /** Begins a command line, such as of {@code policy status}. */
    public static CommandWords of(String command) {
        return new CommandWords(command);
    }

    /** Adds an option without a value. */
    public CommandWords flag(String name) {
        options.add("--" + name);
        return this;
    }

    /** Adds an option with a value; an empty value leaves it out. */
    public CommandWords option(String name, String value) {
        if (!value.isEmpty()) {
            options.add("--" + name + "=" + value);
        }
        return this;
    }

    /** Adds an option with a value that may be empty, which takes a setting back. */
    public CommandWords setting(String name, String value) {
        options.add("--" + name + "=" + value);
        return this;
    }

    /** Adds an argument; an empty one is left out. */
    public CommandWords argument(String value) {
        if (!value.isEmpty()) {
            arguments.add(value);
        }
        return this;
    }

    /** Returns the name as it is typed. */
    public String name() {
        return "palyra " + command;
    }

    /** Returns the words. */
    public List<String> argv() {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.add("--json");
        words.addAll(options);
        if (!arguments.isEmpty()) {
            words.add("--");
            words.addAll(arguments);
        }
        return words;
    }
}
