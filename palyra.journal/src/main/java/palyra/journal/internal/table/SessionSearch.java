package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.run.SessionView;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;
import palyra.journal.internal.write.SessionIndex;

/**
 * Finds sessions by a part of their key or label, newest first: by the index of three-letter pieces
 * together with the rows that are not indexed yet, and without the index while it is rebuilt.
 * Damage of the index is noted and costs the search its speed alone.
 */
final class SessionSearch {
    /** Letters of the pieces that the index knows; shorter texts are looked for row by row. */
    static final int PIECE = 3;

    private static final long WINDOW = 20_000;
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(4_000);
    private static final String SELECT =
            "SELECT s." + SessionTable.COLUMNS.replace(", ", ", s.") + ", n.no FROM ";
    private static final String FITS =
            " AND (? = '' OR s.principal = ?) AND (? = 1 OR s.archived_at = 0)"
                    + " AND (instr(lower(s.key), lower(?)) > 0"
                    + " OR instr(lower(s.label), lower(?)) > 0)";

    private final Sql sql;

    SessionSearch(Sql sql) {
        this.sql = sql;
    }

    /** What is looked for. */
    record Wanted(String principal, String text, String beforeId, int limit, boolean archived) {}

    private record Numbered(long no, SessionView session) {
        static Numbered read(ResultSet row) throws SQLException {
            return new Numbered(row.getLong(12), SessionTable.read(row));
        }
    }

    List<SessionView> find(Wanted wanted) throws SQLException {
        long before =
                wanted.beforeId().isEmpty()
                        ? Long.MAX_VALUE
                        : sql.number(
                                "SELECT no FROM session_numbers WHERE session_id = ?",
                                0,
                                wanted.beforeId());
        if (isRebuilt()) {
            return inTable(wanted, before);
        }
        try {
            List<SessionView> found = byIndex(wanted, before);
            return isRebuilt() ? inTable(wanted, before) : found; // it was given up in between
        } catch (SQLException e) {
            if (SqliteFailure.of(e) != SqliteFailure.CORRUPT && !isRebuilt()) {
                throw e;
            }
            List<SessionView> found = inTable(wanted, before); // throws when the table is damaged
            if (!isRebuilt()) {
                sql.damaged().search().damaged(e);
            }
            return found;
        }
    }

    private boolean isRebuilt() throws SQLException {
        return sql.exists("SELECT 1 FROM meta WHERE name = ?", SessionIndex.REBUILT);
    }

    /** What is pending first: it may move to the index in between, and is then found twice. */
    private List<SessionView> byIndex(Wanted wanted, long before) throws SQLException {
        Map<Long, SessionView> found = new LinkedHashMap<>();
        String pending =
                SELECT
                        + "session_pending p JOIN session_numbers n ON n.no = p.no"
                        + " JOIN sessions s ON s.session_id = n.session_id WHERE p.no < ?"
                        + FITS
                        + " ORDER BY p.no DESC LIMIT ?";
        String indexed =
                SELECT
                        + "session_search f JOIN session_numbers n ON n.no = f.rowid"
                        + " JOIN sessions s ON s.session_id = n.session_id"
                        + " WHERE session_search MATCH ? AND f.rowid < ?"
                        + FITS
                        + " ORDER BY f.rowid DESC LIMIT ?";
        List<Numbered> all = new ArrayList<>(list(pending, wanted, before));
        all.addAll(list(indexed, wanted, phrase(wanted.text()), before));
        all.sort(Comparator.comparingLong(Numbered::no).reversed());
        all.forEach(one -> found.put(one.no(), one.session()));
        return found.values().stream().limit(wanted.limit()).toList();
    }

    private static String phrase(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    private List<Numbered> list(String text, Wanted wanted, Object... first) throws SQLException {
        List<Object> arguments = new ArrayList<>(List.of(first));
        arguments.add(wanted.principal());
        arguments.add(wanted.principal());
        arguments.add(wanted.archived() ? 1 : 0);
        arguments.add(wanted.text());
        arguments.add(wanted.text());
        arguments.add(wanted.limit());
        return sql.readable(text, Numbered::read, arguments.toArray());
    }

    /** Goes through the table, a bounded part in each read transaction. */
    private List<SessionView> inTable(Wanted wanted, long before) throws SQLException {
        long begun = System.nanoTime();
        long top = sql.number("SELECT max(no) FROM session_numbers", 0) + 1;
        String text =
                SELECT
                        + "session_numbers n JOIN sessions s ON s.session_id = n.session_id"
                        + " WHERE n.no < ? AND n.no >= ?"
                        + FITS
                        + " ORDER BY n.no DESC LIMIT ?";
        List<SessionView> found = new ArrayList<>();
        for (long to = Math.min(before, top); to > 0 && found.size() < wanted.limit(); ) {
            if (System.nanoTime() - begun > SLOW_NANOS) {
                throw tooSlow(wanted);
            }
            long from = Math.max(0, to - WINDOW);
            list(text, wanted, to, from).forEach(one -> found.add(one.session()));
            to = from;
        }
        return found.stream().limit(wanted.limit()).toList();
    }

    private static PalyraException tooSlow(Wanted wanted) {
        return new PalyraException(
                ErrorCode.TIMED_OUT,
                "The search for '"
                        + wanted.text()
                        + "' did not end within 4 s: the index for searching sessions is being"
                        + " rebuilt. Try again in some minutes; palyra doctor says how far it is.");
    }
}
