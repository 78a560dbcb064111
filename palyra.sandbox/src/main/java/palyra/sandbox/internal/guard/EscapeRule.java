package palyra.sandbox.internal.guard;

import java.util.List;
import java.util.Set;

/**
 * By which arguments a program starts another one.
 *
 * @param programs names of the program
 * @param longOptions options such as {@code --compress-program}; what begins one counts too,
 *     because getopt_long(3) takes abbreviations
 * @param letters short options, alone or in a cluster
 * @param words arguments that count when they are exactly this
 * @param parts texts that count anywhere in an argument, in lower case
 */
record EscapeRule(
        Set<String> programs,
        List<String> longOptions,
        String letters,
        Set<String> words,
        List<String> parts) {
    private static final int SHORTEST = 4; // --to: no abbreviation is shorter than two letters

    /**
     * Reads {@code programs / long options / letters / words / parts}, each but the first maybe -.
     */
    static EscapeRule of(String line) {
        String[] fields = line.strip().split("\\s*/\\s*", -1);
        return new EscapeRule(
                Set.copyOf(list(fields[0])),
                list(fields[1]),
                fields[2].equals("-") ? "" : fields[2],
                Set.copyOf(list(fields[3])),
                list(fields[4]));
    }

    private static List<String> list(String field) {
        return field.equals("-") ? List.of() : List.of(field.split(" "));
    }

    boolean matches(List<String> arguments) {
        return arguments.stream().anyMatch(this::matches);
    }

    private boolean matches(String argument) {
        if (words.contains(argument) || parts.stream().anyMatch(lower(argument)::contains)) {
            return true;
        }
        if (argument.startsWith("--")) {
            int end = argument.indexOf('=');
            String name = end < 0 ? argument : argument.substring(0, end);
            return name.length() >= SHORTEST
                    && longOptions.stream().anyMatch(option -> option.startsWith(name));
        }
        return argument.startsWith("-") && cluster(argument).chars().anyMatch(this::isLetter);
    }

    private boolean isLetter(int letter) {
        return letters.indexOf(letter) >= 0;
    }

    private static String lower(String argument) {
        return argument.toLowerCase(java.util.Locale.ROOT);
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
