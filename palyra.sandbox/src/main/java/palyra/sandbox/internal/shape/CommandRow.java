package palyra.sandbox.internal.shape;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The known options of a program, or of one of its sub-commands.
 *
 * @param program name of the program
 * @param files names that its file may have
 * @param subcommand empty for a program without
 * @param clusters whether short options may stand together, as getopt(3) reads them
 * @param grade how far such a command may be allowed
 * @param operands what may stand where no option does
 * @param flags options without a value
 * @param free options with a value that is harmless in any form
 * @param valued options with a value that is part of what a person allows
 * @param optional long options that may have a value after {@code =}, part of the allowed pattern
 * @param narrowing of all these, the options that make a command do less: a command without them is
 *     another one
 */
record CommandRow(
        String program,
        Set<String> files,
        String subcommand,
        boolean clusters,
        Grade grade,
        Operands operands,
        Set<String> flags,
        Set<String> free,
        Set<String> valued,
        Set<String> optional,
        Set<String> narrowing) {
    private static final int FIELDS = 8;

    /** How far a command may be allowed. */
    enum Grade {
        /** Calls like it. */
        PATTERN,
        /** Calls like it, although it runs what files of the workspace say, which are fixed. */
        BUILD_PATTERN,
        /** Equal calls. */
        BUILD_EXACT,
        /** One call: the next could do much more; but it starts no program. */
        ONCE;

        /** Returns whether such a command runs what files of the workspace say. */
        boolean isBuild() {
            return this == BUILD_PATTERN || this == BUILD_EXACT;
        }
    }

    /** What operands are. */
    enum Operands {
        NONE,
        FILES,
        /** At most one; a second would be written to. */
        ONE_FILE,
        TEXT,
        /** A text first, unless an option brings it; then files. */
        TEXT_THEN_FILES,
        /** A word that begins with a plus sign, which is part of the allowed pattern. */
        FORMAT,
        /** Steps of a build, all of them listed. */
        PHASES,
        /** The name of a script, part of the allowed pattern. */
        SCRIPT
    }

    /**
     * Reads {@code program | sub-command | grade | operands | flags | free | valued | optional}. An
     * exclamation mark after an option puts it among {@code narrowing}; a file name other than the
     * program's follows its name after a {@code =}; a program name that ends with {@code *} has no
     * clusters.
     */
    static CommandRow of(String line) {
        String[] fields = line.strip().split("\\s*\\|\\s*", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(
                    "it has " + fields.length + " fields, not " + FIELDS);
        }
        String[] names = fields[0].split("=");
        String program = names[0].replace("*", "");
        Set<String> narrowing = new HashSet<>();
        return new CommandRow(
                program,
                names.length > 1 ? Set.of(program, names[1]) : Set.of(program),
                fields[1].equals("-") ? "" : fields[1],
                !names[0].endsWith("*"),
                Grade.valueOf(fields[2].toUpperCase(Locale.ROOT)),
                Operands.valueOf(fields[3].toUpperCase(Locale.ROOT)),
                options(fields[4], narrowing),
                options(fields[5], narrowing),
                options(fields[6], narrowing),
                options(fields[7], narrowing),
                Set.copyOf(narrowing));
    }

    /** Returns program and sub-command in words. */
    String title() {
        return subcommand.isEmpty() ? program : program + " " + subcommand;
    }

    boolean isAboutTheSameAs(CommandRow other) {
        return program.equals(other.program) && subcommand.equals(other.subcommand);
    }

    private static Set<String> options(String field, Set<String> narrowing) {
        if (field.equals("-")) {
            return Set.of();
        }
        List<String> words = Arrays.asList(field.split("\\s+"));
        words.stream()
                .filter(word -> word.endsWith("!"))
                .map(CommandRow::bare)
                .forEach(narrowing::add);
        return words.stream().map(CommandRow::bare).collect(Collectors.toUnmodifiableSet());
    }

    private static String bare(String word) {
        return word.endsWith("!") ? word.substring(0, word.length() - 1) : word;
    }
}
