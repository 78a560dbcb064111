package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import palyra.sandbox.internal.guard.GuardRule.Column;

/**
 * Whether the arguments of a command can start other programs, although that is not the program's
 * purpose. Such a command is not refused but marked for policy and approvers. The rules are not
 * complete; the sandbox confines commands that they miss.
 */
final class Escapes {
    private static final int SHORTEST = 4; // --to: no abbreviation is shorter than two letters

    private Escapes() {}

    /**
     * Whether a command can start other programs.
     *
     * @param program the program
     * @param names names of the program, and of the applet when it is a multi-call binary
     * @param arguments arguments of the program or applet
     */
    static boolean runsPrograms(FoundProgram program, Set<String> names, List<String> arguments) {
        return program.kind() != ProgramKind.PLAIN
                || GuardRule.of(names).anyMatch(rule -> runsPrograms(rule, arguments));
    }

    private static boolean runsPrograms(GuardRule rule, List<String> arguments) {
        Set<String> scripts = rule.words(Column.SCRIPT);
        return (scripts.contains("sed") && SedScript.executes(arguments))
                || (scripts.contains("awk") && arguments.stream().anyMatch(Escapes::awk))
                || subcommand(rule, arguments)
                || bundled(rule.words(Column.ESCAPE_BUNDLED), arguments)
                || arguments.stream().anyMatch(argument -> matches(rule, argument));
    }

    /** A pipe or {@code system} in the program, or a program or extension read from a file. */
    private static boolean awk(String argument) {
        return argument.contains("system")
                || argument.replace("||", "").contains("|")
                || argument.contains("@load")
                || argument.contains("@include")
                || argument.matches("(?s)-[feEil].*")
                || argument.matches("(?s)--(?:f|s|e|i|l)[a-z-]*(?:=.*)?");
    }

    /** A sub-command, or with {@code clone/-u} one that has an option. */
    private static boolean subcommand(GuardRule rule, List<String> arguments) {
        String command = Subcommands.of(rule.names(), arguments);
        return rule.words(Column.ESCAPE_SUBCOMMANDS).stream()
                .map(word -> word.split("/", 2))
                .filter(word -> word[0].equals(command))
                .anyMatch(
                        word ->
                                word.length == 1
                                        || arguments.stream().anyMatch(a -> a.startsWith(word[1])));
    }

    /** {@code tar cIf program archive}: the first argument is a cluster without a dash. */
    private static boolean bundled(Set<String> letters, List<String> arguments) {
        return !arguments.isEmpty()
                && arguments.get(0).matches("[A-Za-z]+")
                && hasLetter(arguments.get(0), letters);
    }

    private static boolean matches(GuardRule rule, String argument) {
        String lower = argument.toLowerCase(Locale.ROOT);
        if (rule.words(Column.ESCAPE_WORDS).contains(argument)
                || rule.words(Column.ESCAPE_PARTS).stream().anyMatch(lower::contains)) {
            return true;
        }
        if (argument.startsWith("--")) { // getopt_long(3) takes abbreviations
            String name = argument.split("=", 2)[0];
            return name.length() >= SHORTEST
                    && rule.words(Column.ESCAPE_LONG).stream().anyMatch(o -> o.startsWith(name));
        }
        return argument.startsWith("-")
                && hasLetter(cluster(argument), rule.words(Column.ESCAPE_LETTERS));
    }

    private static boolean hasLetter(String text, Set<String> letters) {
        return letters.stream().anyMatch(text::contains);
    }

    /** The letters of {@code -abc…}, as far as they are letters. */
    private static String cluster(String argument) {
        int end = 1;
        while (end < argument.length() && Character.isLetter(argument.charAt(end))) {
            end++;
        }
        return argument.substring(1, end);
    }
}
