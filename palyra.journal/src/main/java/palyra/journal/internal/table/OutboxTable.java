package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.journal.internal.database.Sql;

/** Answers on their way out. */
public final class OutboxTable {
    private static final String COLUMNS =
            "outbox_id, run_id, surface, payload, state, attempts, created_at, updated_at,"
                    + " texts";
    private static final String SELECT = "SELECT " + COLUMNS + " FROM outbox WHERE ";

    private final Sql sql;
    private final TextTable texts;

    OutboxTable(Sql sql, TextTable texts) {
        this.sql = sql;
        this.texts = texts;
    }

    private OutboxRow read(ResultSet row) throws SQLException {
        return new OutboxRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                texts.whole(row.getBytes(4), row.getBytes(9)),
                OutboxRow.State.valueOf(row.getString(5)),
                row.getInt(6),
                row.getLong(7),
                row.getLong(8));
    }

    public List<OutboxRow> pageIn(OutboxRow.State state, String surface, String afterId, int limit)
            throws SQLException {
        String rest = "state = ? AND outbox_id > ? ORDER BY outbox_id LIMIT ?";
        return surface.isEmpty()
                ? sql.readable(SELECT + rest, this::read, state.name(), afterId, limit)
                : sql.readable(
                        SELECT + "surface = ? AND " + rest,
                        this::read,
                        surface,
                        state.name(),
                        afterId,
                        limit);
    }

    public List<OutboxRow> of(String runId, int limit) throws SQLException {
        return sql.readable(
                SELECT + "run_id = ? ORDER BY outbox_id LIMIT ?", this::read, runId, limit);
    }

    public void insert(OutboxRow row, CutPayload payload, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO outbox (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?)",
                    row.outboxId(),
                    row.runId(),
                    row.surface(),
                    payload.rest(),
                    row.state().name(),
                    row.attempts(),
                    now,
                    now,
                    texts.keep(payload));
        } catch (SQLiteException e) {
            throw Tables.orTaken(e, "answer", row.outboxId());
        }
    }

    public void move(Operation.MoveOutbox move, long now) throws SQLException {
        int changed =
                sql.update(
                        "UPDATE outbox SET state = ?, attempts = attempts + ?, updated_at = ?"
                                + " WHERE outbox_id = ? AND state = ?",
                        move.to().name(),
                        move.to() == OutboxRow.State.SENDING ? 1 : 0,
                        now,
                        move.outboxId(),
                        move.from().name());
        if (changed == 0) {
            Optional<OutboxRow> found =
                    sql.one(SELECT + "outbox_id = ?", this::read, move.outboxId());
            throw Rejections.conflict(
                    "Answer "
                            + move.outboxId()
                            + " is "
                            + found.orElseThrow(
                                            () -> Rejections.notFound("answer", move.outboxId()))
                                    .state()
                            + ", not "
                            + move.from()
                            + ".");
        }
    }

    /** Takes back what no send of was begun. */
    public void withdraw(String runId, long now) throws SQLException {
        sql.update(
                "UPDATE outbox SET state = 'WITHDRAWN', updated_at = ?"
                        + " WHERE run_id = ? AND state = 'PENDING'",
                now,
                runId);
    }
}
