package palyra.journal.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;

/** Questions to people. */
final class ApprovalTable {
    private static final String COLUMNS =
            "approval_id, run_id, call_id, state, payload, created_at, expires_at, decided_at,"
                    + " decided_by";
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
                ApprovalRow.State.valueOf(row.getString(4)),
                row.getBytes(5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8),
                row.getString(9));
    }

    Optional<ApprovalRow> find(String approvalId) throws SQLException {
        return sql.one(SELECT + "approval_id = ?", ApprovalTable::read, approvalId);
    }

    List<ApprovalRow> pageIn(ApprovalRow.State state, String runId, String afterId, int limit)
            throws SQLException {
        String rest = "state = ? AND approval_id > ? ORDER BY approval_id LIMIT ?";
        return runId.isEmpty()
                ? sql.list(SELECT + rest, ApprovalTable::read, state.name(), afterId, limit)
                : sql.list(
                        SELECT + "run_id = ? AND " + rest,
                        ApprovalTable::read,
                        runId,
                        state.name(),
                        afterId,
                        limit);
    }

    void insert(ApprovalRow row, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO approvals (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?)",
                    row.approvalId(),
                    row.runId(),
                    row.callId(),
                    row.state().name(),
                    row.payload(),
                    now,
                    row.expiresAtMillis(),
                    row.decidedAtMillis(),
                    row.decidedBy());
        } catch (SQLiteException e) {
            throw Tables.orTaken(e, "approval", row.approvalId());
        }
    }

    /** Decides once and returns the run that waits for it. */
    String decide(Operation.DecideApproval decision, long now) throws SQLException {
        ApprovalRow found =
                find(decision.approvalId())
                        .orElseThrow(() -> Reject.notFound("approval", decision.approvalId()));
        if (found.state() != ApprovalRow.State.PENDING) {
            throw Reject.conflict(
                    "Approval " + found.approvalId() + " is " + found.state() + " already.");
        }
        if (isAnswer(decision.state()) && found.expiresAtMillis() <= now) {
            throw Reject.conflict(
                    "Approval "
                            + found.approvalId()
                            + " takes no answer any more: its time is over, which means no.");
        }
        sql.update(
                "UPDATE approvals SET state = ?, decided_at = ?, decided_by = ?"
                        + " WHERE approval_id = ?",
                decision.state().name(),
                now,
                decision.decidedBy(),
                decision.approvalId());
        return found.runId();
    }

    private static boolean isAnswer(ApprovalRow.State state) {
        return state == ApprovalRow.State.GRANTED || state == ApprovalRow.State.DENIED;
    }

    void withdraw(String runId, long now) throws SQLException {
        sql.update(
                "UPDATE approvals SET state = 'WITHDRAWN', decided_at = ?"
                        + " WHERE run_id = ? AND state = 'PENDING'",
                now,
                runId);
    }
}
