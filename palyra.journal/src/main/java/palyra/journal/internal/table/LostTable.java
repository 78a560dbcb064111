package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.RunLoss;
import palyra.journal.internal.database.Sql;

/**
 * Finds rows that others say must be there. Each page follows an index over keys and is one short
 * read, however much the store holds.
 */
public final class LostTable {
    private final Sql sql;

    public LostTable(Sql sql) {
        this.sql = sql;
    }

    /** A run by its number, and whether the row that belongs to it is lost. */
    public record Pair(long streamNo, String runId, boolean lost) {}

    /** Returns runs in the order of their numbers, and whether their head is lost. */
    public List<Pair> heads(long afterNo, int limit) throws SQLException {
        return sql.list(
                "SELECT r.stream_no, r.run_id, h.stream_no IS NULL FROM runs r"
                        + " LEFT JOIN heads h ON h.stream_no = r.stream_no"
                        + " WHERE r.stream_no > ? ORDER BY r.stream_no LIMIT ?",
                row -> new Pair(row.getLong(1), text(row, 2), row.getInt(3) != 0),
                afterNo,
                limit);
    }

    /** Returns heads in the order of their numbers, and whether their run is lost. */
    public List<Pair> runs(long afterNo, int limit) throws SQLException {
        return sql.list(
                "SELECT h.stream_no, r.run_id IS NULL FROM heads h"
                        + " LEFT JOIN runs r ON r.stream_no = h.stream_no"
                        + " WHERE h.stream_no > ? ORDER BY h.stream_no LIMIT ?",
                row -> new Pair(row.getLong(1), "", row.getInt(2) != 0),
                afterNo,
                limit);
    }

    /** Returns numbers of tapes in their order, and whether neither head nor run is there. */
    public List<Pair> tapes(long afterNo, int limit) throws SQLException {
        List<Pair> found = new ArrayList<>();
        long last = afterNo;
        while (found.size() < limit) {
            long next = sql.number("SELECT min(stream_no) FROM tape WHERE stream_no > ?", 0, last);
            if (next <= last) {
                break;
            }
            boolean lost =
                    !sql.exists("SELECT 1 FROM heads WHERE stream_no = ?", next)
                            && !sql.exists("SELECT 1 FROM runs WHERE stream_no = ?", next);
            found.add(new Pair(next, "", lost));
            last = next;
        }
        return found;
    }

    /**
     * Returns runs that wait for people in the order of their numbers, and whether no question of
     * theirs is open although none was answered: a decision would have marked the run.
     */
    public List<Pair> questions(long afterNo, int limit) throws SQLException {
        return sql.list(
                "SELECT r.stream_no, r.run_id, r.answered = 0 AND NOT EXISTS (SELECT 1 FROM"
                        + " approvals a WHERE a.run_id = r.run_id AND a.state = 'PENDING')"
                        + " FROM runs r WHERE r.state = 'AWAITING_APPROVAL' AND r.stream_no > ?"
                        + " ORDER BY r.stream_no LIMIT ?",
                row -> new Pair(row.getLong(1), text(row, 2), row.getInt(3) != 0),
                afterNo,
                limit);
    }

    /** A message that became a run, and whether that run is lost. */
    public record Routed(RunLoss run, boolean lost) {}

    /** Returns runs that messages became, in the order of their ids. */
    public List<Routed> messages(String afterRunId, int limit) throws SQLException {
        return sql.list(
                "SELECT i.run_id, i.message_id, i.principal, i.state = 'ROUTED' AND r.run_id IS"
                        + " NULL FROM inbox i LEFT JOIN runs r ON r.run_id = i.run_id"
                        + " WHERE i.run_id > ? AND i.run_id <> '' ORDER BY i.run_id LIMIT ?",
                row -> new Routed(loss(row), row.getInt(4) != 0),
                afterRunId,
                limit);
    }

    /** Returns the loss of a run; empty when its row exists, or never existed. */
    public Optional<RunLoss> loss(String runId) throws SQLException {
        if (sql.exists("SELECT 1 FROM runs WHERE run_id = ?", runId)) {
            return Optional.empty();
        }
        return sql.one(
                "SELECT i.run_id, i.message_id, i.principal FROM inbox i"
                        + " WHERE i.run_id = ? AND i.run_id <> '' AND i.state = 'ROUTED'",
                LostTable::loss,
                runId);
    }

    private static RunLoss loss(ResultSet row) throws SQLException {
        String runId = text(row, 1);
        String messageId = text(row, 2);
        return new RunLoss(
                runId,
                text(row, 3),
                messageId,
                "The journal lost the row of run "
                        + runId
                        + " (table runs), which answered message "
                        + messageId
                        + ". The message was accepted; whether it was answered is not known. "
                        + KnownLosses.RESTORE);
    }

    private static String text(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        return text == null || text.isBlank() ? "?" : text;
    }
}
