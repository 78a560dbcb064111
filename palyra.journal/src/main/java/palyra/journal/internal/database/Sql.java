package palyra.journal.internal.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.api.PalyraException;

/**
 * One connection with its prepared statements, which are kept for its life: the texts are constants
 * of this bundle. Used by the one thread that owns it.
 */
public final class Sql implements AutoCloseable {
    private static final int STEPS_BETWEEN_LOOKS = 20_000;

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private final DamagedRows damaged;
    private volatile boolean interrupted;

    /**
     * Takes over a connection. Transactions are begun and ended here in plain SQL: the driver's own
     * would begin a new one with each commit.
     */
    public Sql(Connection connection) throws SQLException {
        this(connection, new DamagedRows());
    }

    /** As above; rows that a list leaves out are noted. */
    public Sql(Connection connection, DamagedRows damaged) throws SQLException {
        this.connection = connection;
        this.damaged = damaged;
        connection.setAutoCommit(false);
        execute("ROLLBACK"); // the one that setAutoCommit began
    }

    /** Returns the damaged rows found so far. */
    public DamagedRows damaged() {
        return damaged;
    }

    /**
     * Stops the statement that runs, and refuses further ones until {@link #goOn}. The one method
     * that another thread may call.
     */
    public void interrupt() {
        interrupted = true;
        try {
            connection.unwrap(SQLiteConnection.class).getDatabase().interrupt();
        } catch (SQLException e) {
            // closed meanwhile: nothing runs any more
        }
    }

    /**
     * Makes {@link #interrupt} reach a statement that is just about to run too: SQLite looks at the
     * flag every so many steps.
     */
    public void makeInterruptible() throws SQLException {
        ProgressHandler.setHandler(
                connection.unwrap(SQLiteConnection.class),
                STEPS_BETWEEN_LOOKS,
                new ProgressHandler() {
                    @Override
                    protected int progress() {
                        return interrupted ? 1 : 0;
                    }
                });
    }

    /** Takes statements again. */
    public void goOn() {
        interrupted = false;
    }

    /** Runs a statement without parameters or result, unprepared. */
    public void execute(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    /** Runs a statement that returns rows without columns to its end, as some pragmas are. */
    public void exhaust(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(text);
        }
    }

    /** Runs a statement to its end and returns the last number of its first column, or 0. */
    public long pragma(String text) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(text)) {
            long last = 0;
            while (rows.next()) {
                last = rows.getLong(1);
            }
            return last;
        }
    }

    /** Returns the first columns of the first row as numbers. */
    public List<Long> numbers(String text, int columns) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(text)) {
            List<Long> found = new ArrayList<>();
            for (int i = 1; i <= columns && (i > 1 || rows.next()); i++) {
                found.add(rows.getLong(i));
            }
            return found;
        }
    }

    /** Returns the first column of the first row as text. */
    public String text(String text) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(text)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    /** Changes rows and returns how many. */
    public int update(String text, Object... arguments) throws SQLException {
        return perform(text, PreparedStatement::executeUpdate, arguments);
    }

    /** Returns the first row. */
    public <T> Optional<T> one(String text, RowReader<T> reader, Object... arguments)
            throws SQLException {
        return perform(
                text,
                statement -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        return rows.next() ? Optional.of(noted(rows, reader)) : Optional.empty();
                    }
                },
                arguments);
    }

    /** A row that cannot be read is reported by doctor, whichever read meets it. */
    private <T> T noted(ResultSet row, RowReader<T> reader) throws SQLException {
        try {
            return reader.read(row);
        } catch (PalyraException | IllegalArgumentException | NullPointerException e) {
            damaged.found(String.valueOf(row.getString(1)), e);
            throw e;
        }
    }

    /** Returns all rows. */
    public <T> List<T> list(String text, RowReader<T> reader, Object... arguments)
            throws SQLException {
        return perform(
                text,
                statement -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        List<T> found = new ArrayList<>();
                        while (rows.next()) {
                            found.add(reader.read(rows));
                        }
                        return found;
                    }
                },
                arguments);
    }

    /** The same, but ends with the first row that {@code enough} says yes to; it is in the list. */
    public <T> List<T> listUntil(
            String text, RowReader<T> reader, Predicate<T> enough, Object... arguments)
            throws SQLException {
        return perform(
                text,
                statement -> {
                    try (ResultSet rows = statement.executeQuery()) {
                        List<T> found = new ArrayList<>();
                        while (rows.next()) {
                            T row = reader.read(rows);
                            found.add(row);
                            if (enough.test(row)) {
                                break;
                            }
                        }
                        return found;
                    }
                },
                arguments);
    }

    /**
     * Returns all rows that can be read. One whose values no object can be made of, in a damaged
     * database, is left out and noted, so that it costs itself and not its neighbours.
     */
    public <T> List<T> readable(String text, RowReader<T> reader, Object... arguments)
            throws SQLException {
        List<T> found = new ArrayList<>();
        list(text, row -> alone(row, reader, found), arguments);
        return found;
    }

    private <T> boolean alone(ResultSet row, RowReader<T> reader, List<T> found)
            throws SQLException {
        try {
            return found.add(reader.read(row));
        } catch (PalyraException | IllegalArgumentException | NullPointerException e) {
            damaged.found(String.valueOf(row.getString(1)), e);
            return false;
        }
    }

    /** What is done with a statement. */
    private interface Use<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** The driver gives some statements up when they fail, so none is used again after that. */
    private <T> T perform(String text, Use<T> use, Object... arguments) throws SQLException {
        if (interrupted) {
            throw new SQLiteException(
                    "the caller does not wait any more", SQLiteErrorCode.SQLITE_INTERRUPT);
        }
        try {
            return use.of(bound(text, arguments));
        } catch (SQLException | RuntimeException e) {
            forget(text);
            throw e;
        }
    }

    private void forget(String text) {
        PreparedStatement statement = statements.remove(text);
        if (statement == null) {
            return; // it could not even be prepared
        }
        try {
            statement.close();
        } catch (SQLException e) {
            // it is given up already
        }
    }

    /** Returns whether there is a row. */
    public boolean exists(String text, Object... arguments) throws SQLException {
        return one(text, row -> true, arguments).isPresent();
    }

    /** Returns the number in the first row, or {@code otherwise}. */
    public long number(String text, long otherwise, Object... arguments) throws SQLException {
        return one(text, row -> row.getLong(1), arguments).orElse(otherwise);
    }

    private PreparedStatement bound(String text, Object... arguments) throws SQLException {
        PreparedStatement statement = statements.get(text);
        if (statement == null) {
            statement = connection.prepareStatement(text);
            statements.put(text, statement);
        }
        for (int i = 0; i < arguments.length; i++) {
            bind(statement, i + 1, arguments[i]);
        }
        return statement;
    }

    private static void bind(PreparedStatement statement, int at, Object value)
            throws SQLException {
        switch (value) {
            case String text -> statement.setString(at, text);
            case Long number -> statement.setLong(at, number);
            case Integer number -> statement.setInt(at, number);
            case byte[] bytes -> statement.setBytes(at, bytes);
            case null -> statement.setBytes(at, null);
            default -> throw new SQLException("no column takes a " + value.getClass());
        }
    }

    /** Ends an open transaction, if any. */
    public void rollbackQuietly() {
        try {
            execute("ROLLBACK");
        } catch (SQLException e) {
            // SQLite ends the transaction by itself on some failures; the failure is known already
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** Closes a connection that is being given up; what fails then does not matter. */
    public void closeQuietly() {
        try {
            close();
        } catch (SQLException e) {
            // nothing depends on it any more
        }
    }
}
