package palyra.sandbox.internal.shape;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Reads a table of rows and tries its examples. Used by one thread. */
final class CommandRowReader {
    private static final String WHY = "why:";
    private static final Path WORKSPACE = Path.of("/workspace");

    private final String source;
    private final List<CommandRow> rows = new ArrayList<>();
    private String why = "";
    private int rowLine;
    private boolean matched = true; // the last row has an example of what it matches
    private boolean unmatched = true;
    private int line;

    private CommandRowReader(String source) {
        this.source = source;
    }

    /**
     * Reads rows.
     *
     * @param source what messages call the text
     * @throws PalyraException INVALID_ARGUMENT naming the line
     */
    static List<CommandRow> read(String text, String source) {
        CommandRowReader reader = new CommandRowReader(source);
        text.lines().forEach(reader::line);
        reader.requireExamples();
        return reader.rows;
    }

    private void line(String raw) {
        line++;
        String text = raw.strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return;
        }
        if (text.startsWith(WHY)) {
            why = text.substring(WHY.length()).strip();
        } else if (text.startsWith("+ ")) {
            example(text.substring(2), true);
            matched = true;
        } else if (text.startsWith("- ")) {
            example(text.substring(2), false);
            unmatched = true;
        } else {
            row(text);
        }
    }

    private void row(String text) {
        requireExamples();
        if (why.isEmpty()) {
            throw wrong(line, "a row needs a line 'why: …' before it that says why it is safe");
        }
        try {
            rows.add(CommandRow.of(text));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw wrong(
                    line,
                    "a row is 'program | sub-command | grade | operands | flags | free | valued |"
                            + " optional' ("
                            + e.getMessage()
                            + ")");
        }
        rowLine = line;
        matched = false;
        unmatched = false;
    }

    private void requireExamples() {
        if (!matched || !unmatched) {
            throw wrong(
                    rowLine,
                    "the row needs an example of what it matches ('+ …') and one of what it does"
                            + " not ('- …')");
        }
    }

    private void example(String text, boolean matches) {
        if (rows.isEmpty()) {
            throw wrong(line, "an example follows its row");
        }
        CommandRow row = rows.get(rows.size() - 1);
        List<String> words = Arrays.asList(text.strip().split(" +"));
        boolean found =
                CommandForm.of(
                                CommandRows.of(rows),
                                words.get(0),
                                words.subList(1, words.size()),
                                row.program(),
                                WORKSPACE)
                        .filter(form -> form.row().equals(row))
                        .isPresent();
        if (!words.get(0).equals(row.program()) || found != matches) {
            throw wrong(
                    line,
                    "'"
                            + text
                            + "' is "
                            + (found ? "" : "not ")
                            + "matched by the row in line "
                            + rowLine
                            + ", and the example says the opposite");
        }
    }

    private PalyraException wrong(int at, String what) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT, source + ", line " + at + ": " + what + ".");
    }
}
