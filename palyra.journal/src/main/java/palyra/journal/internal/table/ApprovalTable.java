package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteException;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.Operation;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;

/** Approval requests. */
public final class ApprovalTable {
    private static final String COLUMNS =
            "approval_id, run_id, call_id, session_id, principal, subject_type, subject_id, state,"
                    + " payload, quorum, votes, created_at, expires_at, notice_at, notices,"
                    + " decided_at, decided_by, decision";
    private static final String SELECT = "SELECT " + COLUMNS + " FROM approvals WHERE ";

    private final Sql sql;

    ApprovalTable(Sql sql) {
        this.sql = sql;
    }

    private static ApprovalRow read(ResultSet row) throws SQLException {
        return new ApprovalRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                ApprovalRow.State.valueOf(row.getString(8)),
                row.getBytes(9),
                row.getInt(10),
                row.getInt(11),
                row.getLong(12),
                row.getLong(13),
                row.getLong(14),
                row.getInt(15),
                row.getLong(16),
                row.getString(17),
                row.getBytes(18));
    }

    public Optional<ApprovalRow> find(String approvalId) throws SQLException {
        return sql.one(SELECT + "approval_id = ?", ApprovalTable::read, approvalId);
    }

    /** The texts are few: one for each index that leads, the rest of the filter is the same. */
    public List<ApprovalRow> page(ApprovalFilter filter, String afterId, int limit)
            throws SQLException {
        List<Object> arguments = new ArrayList<>();
        String leading = "";
        String state = filter.state().map(Enum::name).orElse("");
        if (!filter.runId().isEmpty()) {
            leading = "run_id = ? AND ";
            arguments.add(filter.runId());
        } else if (!filter.sessionId().isEmpty()) {
            leading = "session_id = ? AND ";
            arguments.add(filter.sessionId());
        } else if (!filter.principal().isEmpty()) {
            leading = "principal = ? AND ";
            arguments.add(filter.principal());
        } else if (!state.isEmpty()) {
            leading = "state = ? AND ";
            arguments.add(state);
        }
        arguments.add(afterId);
        for (String wanted :
                List.of(
                        state,
                        filter.subjectType(),
                        filter.subjectId(),
                        filter.principal(),
                        filter.sessionId())) {
            arguments.add(wanted);
            arguments.add(wanted);
        }
        arguments.add(filter.sinceMillis());
        arguments.add(filter.untilMillis());
        arguments.add(filter.untilMillis());
        arguments.add(limit);
        return sql.readable(
                SELECT
                        + leading
                        + "approval_id > ? AND (? = '' OR +state = ?)"
                        + " AND (? = '' OR subject_type = ?) AND (? = '' OR subject_id = ?)"
                        + " AND (? = '' OR +principal = ?) AND (? = '' OR +session_id = ?)"
                        + " AND created_at >= ? AND (? = 0 OR created_at < ?)"
                        + " ORDER BY approval_id LIMIT ?",
                ApprovalTable::read,
                arguments.toArray());
    }

    public List<ApprovalRow> due(long now, int limit) throws SQLException {
        List<ApprovalRow> found = new ArrayList<>();
        found.addAll(
                sql.readable(
                        SELECT + "state = 'PENDING' AND expires_at <= ? LIMIT ?",
                        ApprovalTable::read,
                        now,
                        limit));
        if (found.size() < limit) {
            found.addAll(
                    sql.readable(
                            SELECT
                                    + "state = 'PENDING' AND notice_at > 0 AND notice_at <= ?"
                                    + " AND expires_at > ? LIMIT ?",
                            ApprovalTable::read,
                            now,
                            now,
                            limit - found.size()));
        }
        return found;
    }

    public void insert(ApprovalRow row, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO approvals ("
                            + COLUMNS
                            + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    row.approvalId(),
                    row.runId(),
                    row.callId(),
                    row.sessionId(),
                    row.principal(),
                    row.subjectType(),
                    row.subjectId(),
                    row.state().name(),
                    row.payload(),
                    row.quorum(),
                    row.votes(),
                    now,
                    row.expiresAtMillis(),
                    row.noticeAtMillis(),
                    row.notices(),
                    row.decidedAtMillis(),
                    row.decidedBy(),
                    row.decision());
        } catch (SQLiteException e) {
            throw Tables.orTaken(e, "approval", row.approvalId());
        }
    }

    /** Decides once and returns the run that waits for it. */
    public String decide(Operation.DecideApproval decision, long now) throws SQLException {
        ApprovalRow found = requirePending(decision.approvalId());
        if (isAnswer(decision.state())) {
            requireInTime(found, now);
        } else if (decision.state() == ApprovalRow.State.EXPIRED) {
            requireOver(found, now);
        }
        sql.update(
                "UPDATE approvals SET state = ?, decided_at = ?, decided_by = ?, decision = ?,"
                        + " notice_at = 0 WHERE approval_id = ?",
                decision.state().name(),
                now,
                decision.decidedBy(),
                decision.decision(),
                decision.approvalId());
        return found.runId();
    }

    private ApprovalRow requirePending(String approvalId) throws SQLException {
        ApprovalRow found =
                find(approvalId).orElseThrow(() -> Rejections.notFound("approval", approvalId));
        if (found.state() != ApprovalRow.State.PENDING) {
            throw Rejections.conflict(
                    "Approval " + found.approvalId() + " is " + found.state() + " already.");
        }
        return found;
    }

    private static void requireInTime(ApprovalRow found, long now) {
        if (found.expiresAtMillis() <= now) {
            throw Rejections.conflict(
                    "Approval "
                            + found.approvalId()
                            + " expired and takes no answer; its call is denied.");
        }
    }

    private static void requireOver(ApprovalRow found, long now) {
        if (found.expiresAtMillis() > now) {
            throw Rejections.conflict(
                    "Approval "
                            + found.approvalId()
                            + " takes answers for another "
                            + (found.expiresAtMillis() - now)
                            + " ms; it cannot expire before.");
        }
    }

    private static boolean isAnswer(ApprovalRow.State state) {
        return state == ApprovalRow.State.GRANTED || state == ApprovalRow.State.DENIED;
    }

    /** Throws CONFLICT unless the question takes answers and so many have voted. */
    public void requireOpen(String approvalId, int votes, long now) throws SQLException {
        ApprovalRow found = requirePending(approvalId);
        requireInTime(found, now);
        if (found.votes() != votes) {
            throw Rejections.conflict(
                    "Approval "
                            + approvalId
                            + " has "
                            + found.votes()
                            + " votes, not "
                            + votes
                            + "; read it again.");
        }
    }

    public void vote(Operation.VoteApproval vote, long now) throws SQLException {
        ApprovalRow found = requirePending(vote.approvalId());
        requireInTime(found, now);
        try {
            sql.update(
                    "INSERT INTO approval_votes (approval_id, principal, payload, voted_at,"
                            + " position) VALUES (?,?,?,?,?)",
                    vote.approvalId(),
                    vote.principal(),
                    vote.payload(),
                    now,
                    found.votes());
        } catch (SQLiteException e) {
            if (SqliteFailure.of(e) == SqliteFailure.CONSTRAINT) {
                throw Rejections.conflict(
                        vote.principal()
                                + " said yes to approval "
                                + vote.approvalId()
                                + " before; another person must approve it too.");
            }
            throw e;
        }
        sql.update(
                "UPDATE approvals SET votes = votes + 1 WHERE approval_id = ?", vote.approvalId());
    }

    public List<ApprovalVoteRow> votes(String approvalId) throws SQLException {
        return sql.list(
                "SELECT approval_id, principal, payload, voted_at FROM approval_votes"
                        + " WHERE approval_id = ? ORDER BY position",
                row ->
                        new ApprovalVoteRow(
                                row.getString(1),
                                row.getString(2),
                                row.getBytes(3),
                                row.getLong(4)),
                approvalId);
    }

    public void note(Operation.NoteApproval note) throws SQLException {
        ApprovalRow found = requirePending(note.approvalId());
        if (found.notices() != note.notices()) {
            throw Rejections.conflict(
                    "Approval "
                            + note.approvalId()
                            + " has "
                            + found.notices()
                            + " reminders, not "
                            + note.notices()
                            + "; read it again.");
        }
        sql.update(
                "UPDATE approvals SET notices = notices + 1, notice_at = ? WHERE approval_id = ?",
                note.nextAtMillis(),
                note.approvalId());
    }

    /** Moves the times of open questions. */
    public void move(long byMillis) throws SQLException {
        sql.update(
                "UPDATE approvals SET expires_at = expires_at + ?,"
                        + " notice_at = iif(notice_at = 0, 0, max(1, notice_at + ?))"
                        + " WHERE state = 'PENDING'",
                byMillis,
                byMillis);
    }

    /** A call that people were asked about. */
    public record PendingCall(String sessionId, String callId) {}

    /** Returns the calls of a run that people were asked about, once for each question. */
    public List<PendingCall> calls(String runId) throws SQLException {
        return sql.list(
                "SELECT session_id, call_id FROM approvals WHERE run_id = ?",
                row -> new PendingCall(row.getString(1), row.getString(2)),
                runId);
    }

    public void withdraw(String runId, long now) throws SQLException {
        sql.update(
                "UPDATE approvals SET state = 'WITHDRAWN', decided_at = ?, notice_at = 0"
                        + " WHERE run_id = ? AND state = 'PENDING'",
                now,
                runId);
    }
}
