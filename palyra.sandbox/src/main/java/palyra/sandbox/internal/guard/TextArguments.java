package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Set;
import palyra.sandbox.internal.guard.GuardRule.Column;

/**
 * Which arguments of well-known programs are text and never a path: patterns, expressions,
 * messages, delimiters.
 */
final class TextArguments {
    private final Set<String> valued;
    private final boolean all;
    private final boolean firstIsText;
    private boolean operandSeen;

    private TextArguments(Set<String> valued, boolean all, boolean firstIsText) {
        this.valued = valued;
        this.all = all;
        this.firstIsText = firstIsText;
    }

    /** Begins with the arguments of a command; {@link #isText} is then asked one after another. */
    static TextArguments of(Set<String> names, List<String> arguments) {
        return GuardRule.of(names, Column.TEXT)
                .map(rule -> of(rule, arguments))
                .orElse(new TextArguments(Set.of(), false, false));
    }

    private static TextArguments of(GuardRule rule, List<String> arguments) {
        boolean first = rule.words(Column.TEXT).contains("first");
        Set<String> unless = rule.words(Column.TEXT_UNLESS);
        return new TextArguments(
                rule.words(Column.TEXT_AFTER),
                rule.words(Column.TEXT).contains("all"),
                first && arguments.stream().noneMatch(argument -> replaces(unless, argument)));
    }

    /** Whether an argument, which may be a cluster, has an option that replaces the operand. */
    private static boolean replaces(Set<String> unless, String argument) {
        if (!argument.startsWith("-") || argument.equals("-")) {
            return false;
        }
        for (String option : unless) {
            boolean cluster =
                    option.length() == 2
                            && !argument.startsWith("--")
                            && argument.indexOf(option.charAt(1)) > 0;
            String name = argument.split("=", 2)[0];
            if (cluster || (name.length() > 3 && option.startsWith(name))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the next argument is text.
     *
     * @param previous the argument before it; empty for the first
     * @param operandsOnly whether {@code --} was seen
     */
    boolean isText(String argument, String previous, boolean operandsOnly) {
        if (!operandsOnly && valued.contains(previous)) {
            return true;
        }
        boolean option = !operandsOnly && argument.startsWith("-") && argument.length() > 1;
        if (option) {
            return all || isGluedText(argument);
        }
        boolean first = !operandSeen;
        operandSeen = true;
        return all || (first && firstIsText);
    }

    private boolean isGluedText(String argument) {
        int end = argument.indexOf('=');
        if (argument.startsWith("--")) {
            return end > 0 && valued.contains(argument.substring(0, end));
        }
        return argument.length() > 2 && valued.contains(argument.substring(0, 2));
    }
}
