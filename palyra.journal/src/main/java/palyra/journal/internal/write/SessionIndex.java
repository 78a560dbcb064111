package palyra.journal.internal.write;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.SearchHealth;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;

/**
 * Keeps the index of sessions up with their table, in short transactions of its own: nothing that a
 * caller waits for touches the index, so damage of it costs the index alone. A damaged one is given
 * up and rebuilt from the table. Used by the writer thread only.
 */
public final class SessionIndex {
    /** In {@code meta}: up to which number the index is rebuilt; no row while it is whole. */
    public static final String REBUILT = "search_rebuilt";

    /** In {@code meta}: how often an index was given up, its pages left where they are. */
    static final String ABANDONED = "search_abandoned";

    private static final Logger LOG = LoggerFactory.getLogger(SessionIndex.class);
    private static final String TABLES =
            "('session_search', 'session_search_data', 'session_search_idx',"
                    + " 'session_search_content', 'session_search_docsize',"
                    + " 'session_search_config')";
    private static final int STEP = 200;
    private static final long CALM_MILLIS = 50;
    private static final long LATEST_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 10_000;
    private static final long AGAIN_MILLIS = 60_000;

    private final SearchHealth health;
    private boolean work;
    private long dueNanos; // when it is done if nothing else is to do
    private long lateNanos; // when it is done all the same
    private boolean abandonedOnce;
    private long abandonedNanos;

    SessionIndex(SearchHealth health) {
        this.health = health;
    }

    /** Damage of the index: no failure of the store. */
    public static final class Damaged extends SQLException {
        private static final long serialVersionUID = 1L;

        Damaged(SQLException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** Makes the index where it is missing; the sessions are put into it step by step. */
    static void create(Sql sql) throws SQLException {
        if (!sql.text("SELECT 1 FROM sqlite_schema WHERE name = 'session_search'").isEmpty()) {
            return;
        }
        sql.execute("BEGIN IMMEDIATE");
        try {
            sql.execute(
                    "CREATE VIRTUAL TABLE session_search USING"
                            + " fts5(key, label, tokenize = 'trigram')");
            sql.execute(
                    "INSERT INTO session_search (session_search, rank)"
                            + " VALUES ('secure-delete', 1)");
            rebuilt(sql, 0);
            sql.execute("COMMIT");
        } catch (SQLException e) {
            sql.rollbackQuietly();
            throw e;
        }
    }

    /** Returns the tables that are no part of the index. */
    public static List<String> otherTables(Sql sql) throws SQLException {
        return sql.list(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND tbl_name NOT IN " + TABLES,
                row -> row.getString(1));
    }

    private static void rebuilt(Sql sql, long upTo) throws SQLException {
        sql.update(
                "INSERT INTO meta (name, value) VALUES (?, ?)"
                        + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                REBUILT,
                upTo);
    }

    /** The database was opened. */
    void opened(Sql sql) throws SQLException {
        long upTo = rebuiltUpTo(sql);
        health.rebuilt(upTo);
        work = false;
        if (upTo >= 0 || sql.exists("SELECT 1 FROM session_pending WHERE no > 0 LIMIT 1")) {
            changed();
        }
    }

    private static long rebuiltUpTo(Sql sql) throws SQLException {
        return sql.number("SELECT value FROM meta WHERE name = ?", -1, REBUILT);
    }

    /** Sessions changed whose entries are to be written. */
    void changed() {
        if (!work) {
            due(CALM_MILLIS, LATEST_MILLIS);
        }
    }

    private void due(long millis, long lateMillis) {
        work = true;
        long now = System.nanoTime();
        dueNanos = now + TimeUnit.MILLISECONDS.toNanos(millis);
        lateNanos = now + TimeUnit.MILLISECONDS.toNanos(lateMillis);
    }

    /** Returns how long the writer may wait for something else, at most {@code millis}. */
    long waitMillis(long millis) {
        if (!work) {
            return millis;
        }
        // Rounded up: a writer that comes back before the time would ask again without a break.
        long left = Math.ceilDiv(dueNanos - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(1));
        return Math.max(0, Math.min(millis, left));
    }

    /** Returns whether a step is to be done; while others wait only one that is late. */
    boolean isDue(boolean othersWait) {
        return work && System.nanoTime() - (othersWait ? lateNanos : dueNanos) >= 0;
    }

    /** Work that is due cannot be done now. */
    void notNow() {
        if (isDue(false)) {
            due(RETRY_MILLIS, RETRY_MILLIS);
        }
    }

    /** Returns whether the index is to be given up now: not again and again without a breath. */
    boolean isToBeAbandoned() {
        return health.damage().isPresent()
                && (!abandonedOnce
                        || System.nanoTime() - abandonedNanos
                                >= TimeUnit.MILLISECONDS.toNanos(AGAIN_MILLIS));
    }

    /** Returns the next step as a task that is a group of its own. */
    Ticket<Progress> step() {
        return new Ticket<>(this::step, Unit.Lane.BULK, true);
    }

    /** A step was tried. */
    void stepped(Ticket<Progress> step) {
        if (step.refused() || !step.future().isDone()) {
            due(RETRY_MILLIS, RETRY_MILLIS);
            return;
        }
        Progress progress = step.future().join();
        health.rebuilt(progress.upTo());
        work = false;
        if (progress.more()) {
            due(0, LATEST_MILLIS);
        }
    }

    /** How far a step came; {@code upTo} is negative when the index knows every session. */
    record Progress(boolean more, long upTo) {}

    private Progress step(WriteContext context) throws SQLException {
        long upTo = rebuiltUpTo(context.sql());
        return upTo < 0
                ? new Progress(pending(context.sql()), upTo)
                : new Progress(true, rebuild(context, upTo)); // the pending rest at the end
    }

    private record Entry(long no, String key, String label) {}

    /** A number without its session, in a damaged table, leaves the index. */
    private static boolean pending(Sql sql) throws SQLException {
        List<Entry> entries =
                sql.list(
                        "SELECT p.no, s.key, s.label FROM session_pending p"
                                + " LEFT JOIN session_numbers n ON n.no = p.no"
                                + " LEFT JOIN sessions s ON s.session_id = n.session_id"
                                + " WHERE p.no > 0 ORDER BY p.no LIMIT ?",
                        row -> new Entry(row.getLong(1), row.getString(2), row.getString(3)),
                        STEP);
        write(sql, entries);
        for (Entry entry : entries) {
            sql.update("DELETE FROM session_pending WHERE no = ?", entry.no());
        }
        return entries.size() == STEP;
    }

    /** Returns up to which number the index is rebuilt now, negative at the end. */
    private static long rebuild(WriteContext context, long upTo) throws SQLException {
        Sql sql = context.sql();
        List<Entry> entries =
                sql.list(
                        "SELECT n.no, s.key, s.label FROM session_numbers n"
                                + " LEFT JOIN sessions s ON s.session_id = n.session_id"
                                + " WHERE n.no > ? ORDER BY n.no LIMIT ?",
                        row -> new Entry(row.getLong(1), row.getString(2), row.getString(3)),
                        upTo,
                        STEP);
        if (upTo == 0) {
            record(context, "session_index_abandoned");
        }
        write(sql, entries);
        if (entries.size() < STEP) {
            sql.update("DELETE FROM meta WHERE name = ?", REBUILT);
            record(context, "session_index_rebuilt");
            return -1;
        }
        long now = entries.getLast().no();
        rebuilt(sql, now);
        return now;
    }

    private static void record(WriteContext context, String event) throws SQLException {
        byte[] payload = "{\"table\":\"session_search\"}".getBytes(StandardCharsets.UTF_8);
        new Appender(context)
                .append(
                        new Operation.Append(TapeRecord.JOURNAL_STREAM, event, 1, payload),
                        PreparedPayload.of(payload, new SecureRandom(), ""));
    }

    /**
     * What is written leaves FTS5's memory here, so that damage shows here and not at the commit.
     */
    private static void write(Sql sql, List<Entry> entries) throws SQLException {
        try {
            for (Entry entry : entries) {
                if (entry.key() == null || entry.label() == null) {
                    sql.update("DELETE FROM session_search WHERE rowid = ?", entry.no());
                } else {
                    sql.update(
                            "INSERT OR REPLACE INTO session_search (rowid, key, label)"
                                    + " VALUES (?, ?, ?)",
                            entry.no(),
                            entry.key(),
                            entry.label());
                }
            }
            if (!entries.isEmpty()) {
                sql.update("INSERT INTO session_search (session_search) VALUES ('flush')");
            }
        } catch (SQLException e) {
            throw SqliteFailure.of(e) == SqliteFailure.CORRUPT ? new Damaged(e) : e;
        }
    }

    /** A step met damage. */
    void damaged(Damaged e) {
        health.damaged(e);
    }

    /**
     * Gives the index up: its tables leave the schema and their pages stay where they are, used by
     * nothing. Dropping the tables would follow the damaged pages and could free pages of others.
     * The connection must be reopened after this.
     */
    void abandon(WriteContext context) throws SQLException {
        Sql sql = context.sql();
        abandonedOnce = true;
        abandonedNanos = System.nanoTime();
        context.beginGroup();
        try {
            long version = sql.pragma("PRAGMA schema_version");
            sql.execute("PRAGMA writable_schema = ON");
            sql.execute("DELETE FROM sqlite_schema WHERE tbl_name IN " + TABLES);
            sql.execute("PRAGMA schema_version = " + (version + 1)); // others read the schema again
            rebuilt(sql, 0);
            sql.update(
                    "INSERT INTO meta (name, value) VALUES (?, 1)"
                            + " ON CONFLICT (name) DO UPDATE SET value = value + 1",
                    ABANDONED);
            sql.update("COMMIT");
            health.abandoned();
            LOG.warn("The damaged index for searching sessions was dropped; it is being rebuilt");
        } catch (SQLException e) {
            sql.rollbackQuietly();
            due(RETRY_MILLIS, RETRY_MILLIS);
            throw e;
        }
    }
}
