package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunPayloads;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Seal;
import palyra.api.run.RunState;
import palyra.journal.internal.database.Sql;

/** Runs with their seals. */
public final class RunTable {
    /** As the index on runs that have not ended says it: the text must be the same. */
    static final String OPEN_STATES = "state IN ('ACCEPTED', 'RUNNING', 'AWAITING_APPROVAL')";

    /** As the index on runs that have ended says it. */
    static final String ENDED_STATES = "state IN ('SUCCEEDED', 'FAILED', 'CANCELLED')";

    private static final String SELECT =
            "SELECT r.run_id, r.session_id, r.principal, r.agent_id, r.origin_kind, r.message_id,"
                    + " r.surface, r.state, r.reason, r.epoch, r.created_at, r.updated_at,"
                    + " coalesce(h.head_seq, (SELECT max(t.seq) FROM tape t WHERE t.stream_no ="
                    + " r.stream_no), 0), s.seq, s.hash, s.key_id, s.signature, r.stream_no,"
                    + " r.attempts, h.stream_no IS NULL FROM runs r"
                    + " LEFT JOIN heads h ON h.stream_no = r.stream_no"
                    + " LEFT JOIN seals s ON s.stream_no = r.stream_no WHERE ";

    private final Sql sql;

    RunTable(Sql sql) {
        this.sql = sql;
    }

    /** What the writer needs to know of a run. */
    public record Standing(String sessionId, RunState state, long epoch) {}

    private static RunRow read(ResultSet row) throws SQLException {
        return new RunRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                RunState.valueOf(row.getString(8)),
                row.getString(9),
                row.getLong(10),
                row.getLong(11),
                row.getLong(12),
                row.getLong(13),
                seal(row),
                row.getInt(19),
                row.getInt(20) != 0);
    }

    private static Optional<Seal> seal(ResultSet row) throws SQLException {
        byte[] hash = row.getBytes(15);
        if (hash == null) {
            return Optional.empty();
        }
        return Optional.of(
                new Seal(
                        row.getString(1),
                        row.getLong(14),
                        hash,
                        row.getString(16),
                        row.getBytes(17)));
    }

    public Optional<RunRow> find(String runId) throws SQLException {
        return sql.one(SELECT + "r.run_id = ?", RunTable::read, runId);
    }

    /** Newest first. The order of runs is that of their streams: ids may be chosen. */
    public List<RunRow> page(String principal, String sessionId, String beforeId, int limit)
            throws SQLException {
        String rest = "r.stream_no < ? ORDER BY r.stream_no DESC LIMIT ?";
        long before = beforeId.isEmpty() ? Long.MAX_VALUE : streamNo(principal, beforeId, 0);
        if (sessionId.isEmpty() && principal.isEmpty()) {
            return sql.readable(SELECT + rest, RunTable::read, before, limit);
        }
        if (sessionId.isEmpty()) {
            String where = SELECT + "r.principal = ? AND " + rest;
            return sql.readable(where, RunTable::read, principal, before, limit);
        }
        String where = SELECT + "r.session_id = ? AND (? = '' OR +r.principal = ?) AND " + rest;
        return sql.readable(where, RunTable::read, sessionId, principal, principal, before, limit);
    }

    /** A list ends where it should go on from a run that is not there. */
    private long streamNo(String principal, String runId, long unknown) throws SQLException {
        return sql.number(
                "SELECT stream_no FROM runs WHERE run_id = ? AND (? = '' OR +principal = ?)",
                unknown,
                runId,
                principal,
                principal);
    }

    private record Numbered(long streamNo, RunRow row) {
        static Numbered read(ResultSet row) throws SQLException {
            return new Numbered(row.getLong(18), RunTable.read(row));
        }
    }

    /** Oldest first. One query a state, so that each follows an index in the order of streams. */
    public List<RunRow> pageIn(Set<RunState> states, String sessionId, String afterId, int limit)
            throws SQLException {
        long after = afterId.isEmpty() ? 0 : streamNo("", afterId, Long.MAX_VALUE);
        List<Numbered> found = new ArrayList<>();
        for (RunState state : states) {
            found.addAll(pageIn(state, sessionId, after, limit));
        }
        return found.stream()
                .sorted(Comparator.comparingLong(Numbered::streamNo))
                .limit(limit)
                .map(Numbered::row)
                .toList();
    }

    private List<Numbered> pageIn(RunState state, String sessionId, long after, int limit)
            throws SQLException {
        String rest = "r.stream_no > ? ORDER BY r.stream_no LIMIT ?";
        String name = state.name();
        if (sessionId.isEmpty()) {
            String where = SELECT + "r.state = ? AND " + rest;
            return sql.readable(where, Numbered::read, name, after, limit);
        }
        String open = isOpen(state) ? "r." + OPEN_STATES + " AND " : "";
        String where = SELECT + open + "r.session_id = ? AND +r.state = ? AND " + rest;
        return sql.readable(where, Numbered::read, sessionId, name, after, limit);
    }

    private static boolean isOpen(RunState state) {
        return !state.terminal() && state != RunState.QUARANTINED;
    }

    /** Returns runs in the order of their ids, for going through all of them. */
    List<RunRow> all(String afterId, int limit) throws SQLException {
        String where = SELECT + "r.run_id > ? ORDER BY r.run_id LIMIT ?";
        return sql.list(where, RunTable::read, afterId, limit);
    }

    public Optional<Standing> standing(String runId) throws SQLException {
        return sql.one(
                "SELECT session_id, state, epoch FROM runs WHERE run_id = ?",
                row ->
                        new Standing(
                                row.getString(1),
                                RunState.valueOf(row.getString(2)),
                                row.getLong(3)),
                runId);
    }

    public Standing require(String runId) throws SQLException {
        return standing(runId).orElseThrow(() -> Rejections.notFound("run", runId));
    }

    public boolean sessionIdle(String sessionId) throws SQLException {
        return !sql.exists(
                "SELECT 1 FROM runs WHERE session_id = ? AND " + OPEN_STATES + " LIMIT 1",
                sessionId);
    }

    public void insert(Operation.InsertRun run, long streamNo, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO runs (run_id, stream_no, session_id, principal, agent_id,"
                            + " origin_kind, message_id, surface, state, reason, epoch, created_at,"
                            + " updated_at) VALUES (?,?,?,?,?,?,?,?,?,'',?,?,?)",
                    run.runId(),
                    streamNo,
                    run.sessionId(),
                    run.principal(),
                    run.agentId(),
                    run.originKind(),
                    run.messageId(),
                    run.surface(),
                    run.state().name(),
                    run.epoch(),
                    now,
                    now);
        } catch (SQLiteException e) {
            throw busyOr(e, run.runId(), run.sessionId());
        }
    }

    public void claim(Operation.ClaimRun claim, long now) throws SQLException {
        sql.update(
                "UPDATE runs SET epoch = ?, attempts = attempts + ?, updated_at = ?"
                        + " WHERE run_id = ?",
                claim.epoch(),
                claim.afterCrash() ? 1 : 0,
                now,
                claim.runId());
    }

    public void attempts(Operation.NoteAttempts note) throws SQLException {
        require(note.runId());
        sql.update("UPDATE runs SET attempts = ? WHERE run_id = ?", note.attempts(), note.runId());
    }

    public void move(String runId, String sessionId, RunState to, String reason, long now)
            throws SQLException {
        try {
            sql.update(
                    "UPDATE runs SET state = ?, reason = ?, updated_at = ?,"
                            + " answered = CASE WHEN ? = 'AWAITING_APPROVAL' THEN answered ELSE 0"
                            + " END WHERE run_id = ?",
                    to.name(),
                    reason,
                    now,
                    to.name(),
                    runId);
        } catch (SQLiteException e) {
            throw busyOr(e, runId, sessionId);
        }
    }

    /** An approval request of the run was decided: its next worker finds that by this mark. */
    public void answered(String runId) throws SQLException {
        sql.update("UPDATE runs SET answered = 1 WHERE run_id = ?", runId);
    }

    /** Returns runs that wait for people although one has answered, oldest first. */
    public List<RunRow> answered(String afterId, int limit) throws SQLException {
        long after = afterId.isEmpty() ? 0 : streamNo("", afterId, Long.MAX_VALUE);
        String where =
                SELECT
                        + "r.answered = 1 AND r.state = 'AWAITING_APPROVAL' AND r.stream_no > ?"
                        + " ORDER BY r.stream_no LIMIT ?";
        return sql.readable(where, RunTable::read, after, limit);
    }

    /** Returns runs of whose payloads so much is left, in the order in which they ended. */
    public List<RunRow> ended(RunPayloads left, long before, String afterId, int limit)
            throws SQLException {
        String where =
                SELECT
                        + "r.payloads < 2 AND r."
                        + ENDED_STATES
                        + " AND r.payloads = ?1 AND r.updated_at < ?2";
        String order = " ORDER BY r.updated_at, r.stream_no LIMIT ?3";
        if (afterId.isEmpty()) {
            return sql.readable(where + order, RunTable::read, left.ordinal(), before, limit);
        }
        return sql.readable(
                where
                        + " AND (r.updated_at, r.stream_no) >"
                        + " (SELECT a.updated_at, a.stream_no FROM runs a WHERE a.run_id = ?4)"
                        + order,
                RunTable::read,
                left.ordinal(),
                before,
                limit,
                afterId);
    }

    public void payloads(Operation.NoteRunPayloads note) throws SQLException {
        RunState state = require(note.runId()).state();
        if (!state.terminal()) {
            throw Rejections.conflict(
                    "Run " + note.runId() + " is " + state + ": its payloads are needed.");
        }
        sql.update(
                "UPDATE runs SET payloads = max(payloads, ?) WHERE run_id = ?",
                note.left().ordinal(),
                note.runId());
    }

    /** The unique index on active runs is what makes sure; the sentence is for people. */
    private static SQLException busyOr(SQLiteException e, String runId, String sessionId)
            throws SQLException {
        if (e.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE) {
            throw Rejections.conflict(
                    "Run "
                            + runId
                            + " cannot be active: session "
                            + sessionId
                            + " has another active run; wait for it to end.");
        }
        throw Tables.orTaken(e, "run", runId);
    }

    public void seal(long streamNo, Seal seal) throws SQLException {
        sql.update(
                "INSERT INTO seals (stream_no, seq, hash, key_id, signature) VALUES (?,?,?,?,?)",
                streamNo,
                seal.seq(),
                seal.hash(),
                seal.keyId(),
                seal.signature());
    }
}
