package palyra.sandbox.internal.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is known of some names: a row of {@code guard-rules.txt}, which says how a row is written
 * and what the columns are.
 *
 * @param names programs, URL schemes or paths
 * @param columns the words of each column that the row has
 */
record GuardRule(Set<String> names, Map<Column, Set<String>> columns) {
    /** The names of rules about every program. */
    static final Set<String> ANY = Set.of("*");

    private static final String OPTIONS = "(?:-\\S+ ?)*";
    private static final String WORDS = "[^A-Z]+"; // compared with arguments in lower case
    private static final String LETTERS = "[A-Za-z](?: [A-Za-z])*";
    private static final String PORT = "[0-9]{1,5}";

    /** The columns, each with the form of its words. */
    enum Column {
        CLASS("interpreter|dispatcher|runs-programs"),
        MULTI_CALL(""),
        SUBCOMMAND_AFTER(OPTIONS),
        TEXT("all|first|values"),
        TEXT_UNLESS(OPTIONS),
        TEXT_AFTER(OPTIONS),
        ROLE("reads|writes|writes-last|moves"),
        OUTPUT_AFTER(".+"),
        SCRIPT("sed|awk"),
        ESCAPE_LONG("(?:--\\S+ ?)+"),
        ESCAPE_LETTERS(LETTERS),
        ESCAPE_WORDS(".+"),
        ESCAPE_PARTS(WORDS),
        ESCAPE_SUBCOMMANDS(WORDS),
        ESCAPE_BUNDLED(LETTERS),
        DEFAULT_PORT(PORT),
        PORT_OPERANDS(""),
        REMOTE_PATHS(""),
        NO_HOST_AFTER(OPTIONS),
        SCHEME_PORT(PORT),
        READABLE("tree|file");

        private final String form;

        Column(String form) {
            this.form = form;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final List<GuardRule> SHIPPED =
            read(TableRow.shipped(GuardRule.class, "guard-rules.txt"));
    private static final Map<String, List<GuardRule>> BY_NAME = new HashMap<>();

    static {
        for (GuardRule rule : SHIPPED) {
            rule.names.forEach(
                    name -> BY_NAME.computeIfAbsent(name, n -> new ArrayList<>()).add(rule));
        }
    }

    /**
     * Reads rows.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT naming the line of a row with an unknown
     *     column, a word that its column cannot have, or a name that has the column already
     */
    static List<GuardRule> read(List<TableRow> table) {
        Set<String> seen = new HashSet<>();
        return table.stream().map(row -> of(row, seen)).toList();
    }

    private static GuardRule of(TableRow row, Set<String> seen) {
        String[] cells = row.text().split("\\s*\\|\\s*", -1);
        try {
            Set<String> names = words(cells[0]);
            Map<Column, Set<String>> columns = new EnumMap<>(Column.class);
            for (String cell : List.of(cells).subList(1, cells.length)) {
                String[] parts = cell.split(":\\s*", 2);
                Column column = column(parts[0]);
                String words = parts.length < 2 ? "" : parts[1];
                require(words.matches(column.form), column + " cannot be '" + words + "'");
                for (String name : names) {
                    require(seen.add(name + " " + column), name + " has " + column + " twice");
                }
                columns.put(column, words(words));
            }
            return new GuardRule(names, columns);
        } catch (IllegalArgumentException e) {
            throw row.wrong(row.line(), e.getMessage());
        }
    }

    private static Column column(String name) {
        return Stream.of(Column.values())
                .filter(column -> column.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no column is '" + name + "'"));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static Set<String> words(String text) {
        return text.isEmpty() ? Set.of() : Set.of(text.split("\\s+"));
    }

    /** Returns the rules about any of some names, in the order of the names. */
    static Stream<GuardRule> of(Collection<String> names) {
        return names.stream()
                .sorted()
                .flatMap(name -> BY_NAME.getOrDefault(name, List.of()).stream())
                .distinct();
    }

    /** Returns the rule about any of some names that has a column; of several the first name's. */
    static Optional<GuardRule> of(Collection<String> names, Column column) {
        return of(names).filter(rule -> rule.columns.containsKey(column)).findFirst();
    }

    /** Returns whether any of some names has a column with a word. */
    static boolean any(Collection<String> names, Column column, String word) {
        return of(names).anyMatch(rule -> rule.words(column).contains(word));
    }

    /** Returns the word of a column that has one for a name. */
    static Optional<String> word(Collection<String> names, Column column) {
        return of(names, column).map(rule -> rule.words(column).iterator().next());
    }

    /** Returns the names that have a column with a word. */
    static Set<String> names(Column column, String word) {
        return SHIPPED.stream()
                .filter(rule -> rule.words(column).contains(word))
                .flatMap(rule -> rule.names.stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the words of a column; empty for a column that the row does not have. */
    Set<String> words(Column column) {
        return columns.getOrDefault(column, Set.of());
    }
}
