package palyra.sandbox.internal.shape;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import palyra.api.PalyraException;
import palyra.sandbox.internal.guard.TableRow;

/** Reads the rows of a table and tries their examples. */
final class CommandRowReader {
    private static final Path WORKSPACE = Path.of("/workspace");

    private CommandRowReader() {}

    /**
     * Reads rows.
     *
     * @throws PalyraException INVALID_ARGUMENT naming the line
     */
    static List<CommandRow> read(List<TableRow> table) {
        List<CommandRow> rows = new ArrayList<>();
        for (TableRow row : table) {
            rows.add(row(row));
            row.examples().forEach(example -> check(rows, row, example));
        }
        return rows;
    }

    private static CommandRow row(TableRow row) {
        if (row.why().isEmpty()) {
            throw row.wrong(
                    row.line(), "a row needs a line 'why: …' before it that says why it is safe");
        }
        try {
            return CommandRow.of(row.text());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw row.wrong(
                    row.line(),
                    "a row is 'program | sub-command | grade | operands | flags | free | valued |"
                            + " optional' ("
                            + e.getMessage()
                            + ")");
        }
    }

    private static void check(List<CommandRow> rows, TableRow table, TableRow.Example example) {
        CommandRow row = rows.getLast();
        List<String> words = Arrays.asList(example.text().split(" +"));
        boolean found =
                CommandForm.of(
                                CommandRows.of(rows),
                                words.get(0),
                                words.subList(1, words.size()),
                                row.program(),
                                WORKSPACE)
                        .filter(form -> form.row().equals(row))
                        .isPresent();
        if (!words.get(0).equals(row.program()) || found != example.matches()) {
            throw table.wrong(
                    example.line(),
                    "'"
                            + example.text()
                            + "' is "
                            + (found ? "" : "not ")
                            + "matched by the row in line "
                            + table.line()
                            + ", and the example says the opposite");
        }
    }
}
