package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Set;
import palyra.sandbox.internal.guard.GuardRule.Column;

/** The sub-commands of programs that have some. */
final class Subcommands {
    private Subcommands() {}

    /**
     * Returns the first argument that is neither an option nor the value of one; empty for a
     * program without sub-commands, or when no argument is one.
     */
    static String of(Set<String> names, List<String> arguments) {
        return GuardRule.of(names, Column.SUBCOMMAND_AFTER)
                .map(rule -> first(rule.words(Column.SUBCOMMAND_AFTER), arguments))
                .orElse("");
    }

    private static String first(Set<String> valued, List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            boolean empty = valued.isEmpty() && argument.isEmpty(); // counts as such an option
            if (empty || valued.contains(argument)) {
                i++;
            } else if (!argument.startsWith("-") && !argument.startsWith("+")) {
                return argument;
            }
        }
        return "";
    }
}
