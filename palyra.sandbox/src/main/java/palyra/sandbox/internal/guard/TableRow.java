package palyra.sandbox.internal.guard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A row of a table of known commands. A table is lines: a row, its examples after it, {@code why:
 * …} for the rows after it, and comments that begin with {@code #}.
 *
 * @param source what messages call the table
 * @param line where the row is, from 1
 * @param why the reason given last before it; empty when there was none
 * @param text the row, as it is written
 * @param examples at least one that it matches and one that it does not
 */
public record TableRow(String source, int line, String why, String text, List<Example> examples) {
    private static final String WHY = "why:";

    /**
     * A line {@code + …} or {@code - …}.
     *
     * @param line where it is, from 1
     * @param matches whether it is one that the row matches
     * @param text what follows the sign
     */
    public record Example(int line, boolean matches, String text) {}

    /** Reads the table {@code name} that comes with the bundle beside a class. */
    public static List<TableRow> shipped(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            return read(new String(in.readAllBytes(), StandardCharsets.UTF_8), name);
        } catch (IOException e) {
            throw new IllegalStateException(name + " of the bundle cannot be read", e);
        }
    }

    /**
     * Reads a table.
     *
     * @param source what messages call it
     * @throws PalyraException INVALID_ARGUMENT naming the line of a row without both examples, or
     *     of an example without a row
     */
    public static List<TableRow> read(String text, String source) {
        List<TableRow> rows = new ArrayList<>();
        List<Example> examples = new ArrayList<>();
        String why = "";
        int line = 0;
        for (String raw : text.lines().toList()) {
            line++;
            String content = raw.strip();
            if (content.startsWith(WHY)) {
                why = content.substring(WHY.length()).strip();
            } else if (content.startsWith("+ ") || content.startsWith("- ")) {
                if (rows.isEmpty()) {
                    throw wrong(source, line, "an example follows its row");
                }
                boolean matches = content.startsWith("+");
                examples.add(new Example(line, matches, content.substring(2).strip()));
            } else if (!content.isEmpty() && !content.startsWith("#")) {
                examples = new ArrayList<>();
                rows.add(
                        new TableRow(
                                source,
                                line,
                                why,
                                content,
                                Collections.unmodifiableList(examples)));
            }
        }
        rows.forEach(TableRow::requireExamples);
        return rows;
    }

    private void requireExamples() {
        if (examples.stream().map(Example::matches).distinct().count() < 2) {
            throw wrong(
                    line,
                    "the row needs an example of what it matches ('+ …') and one of what it does"
                            + " not ('- …')");
        }
    }

    /** Returns the failure of the table because of line {@code at}. */
    public PalyraException wrong(int at, String what) {
        return wrong(source, at, what);
    }

    private static PalyraException wrong(String source, int at, String what) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT, source + ", line " + at + ": " + what + ".");
    }
}
