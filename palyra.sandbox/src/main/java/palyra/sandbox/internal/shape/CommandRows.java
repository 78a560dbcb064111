package palyra.sandbox.internal.shape;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.sandbox.internal.guard.TableRow;

/**
 * The programs and sub-commands whose options are known: the table that comes with the bundle,
 * {@code command-rows.txt}, which says how a row is written, and an operator's further rows. Each
 * row has a reason and examples of what it matches and what it does not; a table whose examples do
 * not hold is refused. Immutable.
 */
public final class CommandRows {
    /** Goes up when a row changes its meaning; grants of before then cover nothing more. */
    static final int VERSION = 1;

    private static final int MOST_BYTES = 1 << 20;

    /** The rows that come with the bundle. */
    public static final CommandRows SHIPPED =
            new CommandRows(
                    CommandRowReader.read(TableRow.shipped(CommandRows.class, "command-rows.txt")));

    private final List<CommandRow> rows;

    private CommandRows(List<CommandRow> rows) {
        this.rows = List.copyOf(rows);
    }

    /**
     * Returns the shipped rows and those of a file. A row for a program and sub-command that is
     * shipped is refused, so that no file changes what a shipped row means.
     *
     * @param file absolute path; of at most 1 MiB
     * @throws PalyraException INVALID_ARGUMENT naming file, line and what to do
     */
    public static CommandRows with(Path file) {
        List<CommandRow> all = new ArrayList<>(SHIPPED.rows);
        for (CommandRow row : CommandRowReader.read(TableRow.read(text(file), file.toString()))) {
            Require.that(
                    all.stream().noneMatch(row::isAboutTheSameAs),
                    file
                            + " has a second row for "
                            + row.title()
                            + ": a program and sub-command has one row; remove it");
            all.add(row);
        }
        return new CommandRows(all);
    }

    private static String text(Path file) {
        Require.that(file.isAbsolute(), "commandRowsFile is " + file + ": use an absolute path");
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            Require.that(
                    bytes.length <= MOST_BYTES,
                    file + " has more than " + MOST_BYTES + " bytes: make it smaller");
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "commandRowsFile " + file + " cannot be read (" + e + "); correct its path.",
                    e);
        }
    }

    static CommandRows of(List<CommandRow> rows) {
        return new CommandRows(rows);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CommandRows given && rows.equals(given.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    /** Returns how many there are. */
    int size() {
        return rows.size();
    }

    /** Returns the row of a program by the name it is called by, its file and its sub-command. */
    Optional<CommandRow> of(String command, String fileName, String subcommand) {
        return rows.stream()
                .filter(row -> row.program().equals(command))
                .filter(row -> row.files().contains(fileName))
                .filter(row -> row.subcommand().equals(subcommand))
                .findFirst();
    }

    /** Returns whether a program is one whose sub-commands have rows of their own. */
    boolean hasSubcommands(String command) {
        return rows.stream()
                .anyMatch(row -> row.program().equals(command) && !row.subcommand().isEmpty());
    }
}
