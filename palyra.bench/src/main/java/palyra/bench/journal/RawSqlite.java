package palyra.bench.journal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.sqlite.SQLiteConfig;

/**
 * The peer: plain JDBC on SQLite with the journal's own tables and indexes, write-ahead log and
 * {@code synchronous=FULL}. No digests, no checks, no threads: what the same rows cost at least.
 * Used by one thread at a time.
 */
public final class RawSqlite implements AutoCloseable {
    private static final byte[] DIGEST = digest();

    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement tape;
    private final PreparedStatement head;
    private final PreparedStatement total;
    private final byte[] payload = BenchStore.recordPayload();
    private final long timeMillis = System.currentTimeMillis();

    /** Makes a database. */
    public RawSqlite(Path database) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setGetGeneratedKeys(false); // else each insert asks for the row id it made
        connection = config.createConnection("jdbc:sqlite:" + database);
        execute("PRAGMA page_size = 4096");
        execute("PRAGMA journal_mode = WAL");
        execute("PRAGMA synchronous = FULL");
        for (String statement : schema()) {
            execute(statement);
        }
        execute("INSERT INTO meta (name, value) VALUES ('records', 0)");
        begin = prepare("BEGIN IMMEDIATE");
        commit = prepare("COMMIT");
        tape =
                prepare(
                        "INSERT INTO tape (stream_no, seq, type, time_millis, schema, commitment,"
                                + " prev_hash, hash, salt, payload, payload_file)"
                                + " VALUES (?,?,?,?,?,?,?,?,?,?,NULL)");
        head =
                prepare(
                        "INSERT INTO heads (stream_no, head_seq, head_hash) VALUES (?,?,?)"
                                + " ON CONFLICT (stream_no) DO UPDATE SET"
                                + " head_seq = excluded.head_seq, head_hash = excluded.head_hash");
        total = prepare("UPDATE meta SET value = value + ? WHERE name = 'records'");
    }

    /** Random once: SQLite does not look inside. */
    private static byte[] digest() {
        byte[] bytes = new byte[32];
        new Random(42).nextBytes(bytes);
        return bytes;
    }

    /** Returns the statements of all the journal's migrations, in order. */
    private static List<String> schema() {
        List<String> statements = new ArrayList<>();
        for (int number = 1; ; number++) {
            String file = String.format("/migrations/%04d.sql", number);
            try (InputStream in = RawSqlite.class.getResourceAsStream(file)) {
                if (in == null) {
                    return statements;
                }
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                Stream.of(text.replaceAll("(?m)^--.*$", "").split(";"))
                        .filter(statement -> !statement.isBlank())
                        .forEach(statements::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Prepares a statement that lives as long as the connection. */
    public PreparedStatement prepare(String text) throws SQLException {
        return connection.prepareStatement(text);
    }

    private void execute(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    /** Begins a transaction. */
    public void begin() throws SQLException {
        begin.executeUpdate();
    }

    /** Ends it; on return it is synced. */
    public void commit() throws SQLException {
        commit.executeUpdate();
    }

    /** Inserts a record. */
    public void insertRecord(long streamNo, long seq) throws SQLException {
        tape.setLong(1, streamNo);
        tape.setLong(2, seq);
        tape.setString(3, "model_token");
        tape.setLong(4, timeMillis);
        tape.setInt(5, 1);
        tape.setBytes(6, DIGEST);
        tape.setBytes(7, DIGEST);
        tape.setBytes(8, DIGEST);
        tape.setBytes(9, DIGEST);
        tape.setBytes(10, payload);
        tape.executeUpdate();
    }

    /** Says where a stream ends. */
    public void putHead(long streamNo, long seq) throws SQLException {
        head.setLong(1, streamNo);
        head.setLong(2, seq);
        head.setBytes(3, DIGEST);
        head.executeUpdate();
    }

    /** Counts records. */
    public void addTotal(long records) throws SQLException {
        total.setLong(1, records);
        total.executeUpdate();
    }

    /** Reads every record with every column and returns how many there are. */
    public long scan() throws SQLException {
        long rows = 0;
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT stream_no, seq, type, time_millis, schema, commitment,"
                                        + " prev_hash, hash, salt, payload FROM tape"
                                        + " ORDER BY stream_no, seq")) {
            while (row.next()) {
                row.getLong(1);
                row.getLong(2);
                row.getString(3);
                row.getLong(4);
                row.getInt(5);
                for (int column = 6; column <= 10; column++) {
                    row.getBytes(column);
                }
                rows++;
            }
        }
        return rows;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
