package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteException;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.journal.internal.database.Sql;

/** Answers on their way out. */
public final class OutboxTable {
    private static final String COLUMNS =
            "outbox_id, run_id, surface, payload, state, attempts, created_at, updated_at,"
                    + " texts, order_key, part, next_attempt_at, reason, sent_ids, owner, epoch";
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
                row.getString(10),
                texts.whole(row.getBytes(4), row.getBytes(9)),
                OutboxRow.State.valueOf(row.getString(5)),
                new OutboxProgress(
                        row.getInt(11),
                        row.getInt(6),
                        row.getLong(12),
                        row.getString(13),
                        row.getString(14).lines().toList(),
                        row.getString(15),
                        row.getLong(16)),
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

    public Optional<OutboxRow> find(String outboxId) throws SQLException {
        return sql.one(SELECT + "outbox_id = ?", this::read, outboxId);
    }

    /**
     * Returns the first open row of each order key. Goes from key to key in the index, so that a
     * conversation in which thousands of messages wait costs what any other does.
     */
    public List<OutboxRow> heads(String surface, String afterKey, int limit) throws SQLException {
        String open = " FROM outbox WHERE surface = ?1 AND state IN ('PENDING', 'SENDING')";
        return sql.readable(
                "WITH RECURSIVE keys(k) AS (SELECT min(order_key)"
                        + open
                        + " AND order_key > ?2 UNION ALL SELECT (SELECT min(order_key)"
                        + open
                        + " AND order_key > k) FROM keys WHERE k IS NOT NULL LIMIT ?3) "
                        + SELECT
                        + "outbox_id IN (SELECT (SELECT min(outbox_id)"
                        + open
                        + " AND order_key = k) FROM keys WHERE k IS NOT NULL) ORDER BY order_key",
                this::read,
                surface,
                afterKey,
                limit);
    }

    /** Names its index: the other ones of a surface would read all that it ever sent. */
    public List<OutboxRow> sent(String surface, String orderKey, String beforeId, int limit)
            throws SQLException {
        return sql.readable(
                "SELECT "
                        + COLUMNS
                        + " FROM outbox INDEXED BY outbox_sent WHERE surface = ?"
                        + " AND order_key = ? AND state = 'SENT' AND outbox_id < ?"
                        + " ORDER BY outbox_id DESC LIMIT ?",
                this::read,
                surface,
                orderKey,
                beforeId.isEmpty() ? Tables.AFTER_EVERY_ID : beforeId,
                limit);
    }

    public List<OutboxRow> of(String runId, int limit) throws SQLException {
        return sql.readable(
                SELECT + "run_id = ? ORDER BY outbox_id LIMIT ?", this::read, runId, limit);
    }

    public void insert(OutboxRow row, CutPayload payload, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO outbox (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    row.outboxId(),
                    row.runId(),
                    row.surface(),
                    payload.rest(),
                    row.state().name(),
                    row.attempts(),
                    now,
                    now,
                    texts.keep(payload),
                    row.orderKey(),
                    row.progress().part(),
                    row.progress().nextAttemptAtMillis(),
                    row.progress().reason(),
                    String.join("\n", row.progress().sentIds()),
                    row.progress().owner(),
                    row.progress().epoch());
        } catch (SQLiteException e) {
            throw Tables.orTaken(e, "answer", row.outboxId());
        }
    }

    public void move(Operation.MoveOutbox move, long now) throws SQLException {
        int begun = move.to() == OutboxRow.State.SENDING ? 1 : 0;
        OutboxProgress progress = move.progress();
        int changed =
                progress == null
                        ? sql.update(
                                "UPDATE outbox SET state = ?, attempts = attempts + ?,"
                                        + " updated_at = ? WHERE outbox_id = ? AND state = ?",
                                move.to().name(),
                                begun,
                                now,
                                move.outboxId(),
                                move.from().name())
                        : sql.update(
                                "UPDATE outbox SET state = ?, attempts = ?, part = ?,"
                                        + " next_attempt_at = ?, reason = ?, sent_ids = ?,"
                                        + " owner = ?, epoch = ?, updated_at = ?"
                                        + " WHERE outbox_id = ? AND state = ?",
                                move.to().name(),
                                progress.attempts() + begun,
                                progress.part(),
                                progress.nextAttemptAtMillis(),
                                progress.reason(),
                                String.join("\n", progress.sentIds()),
                                progress.owner(),
                                progress.epoch(),
                                now,
                                move.outboxId(),
                                move.from().name());
        if (changed == 0) {
            throw notIn(move.outboxId(), move.from());
        }
    }

    /** Gives an answer that waits another payload. */
    public void rewrite(String outboxId, CutPayload payload, long now) throws SQLException {
        List<byte[]> before =
                sql.list(
                        "SELECT texts FROM outbox WHERE outbox_id = ? AND state = 'PENDING'",
                        row -> row.getBytes(1),
                        outboxId);
        if (before.isEmpty()) {
            throw notIn(outboxId, OutboxRow.State.PENDING);
        }
        sql.update(
                "UPDATE outbox SET payload = ?, texts = ?, updated_at = ? WHERE outbox_id = ?",
                payload.rest(),
                texts.keep(payload),
                now,
                outboxId);
        for (byte[] each : before) {
            texts.release(each);
        }
    }

    private PalyraException notIn(String outboxId, OutboxRow.State state) throws SQLException {
        return Rejections.conflict(
                "Answer "
                        + outboxId
                        + " is "
                        + find(outboxId)
                                .orElseThrow(() -> Rejections.notFound("answer", outboxId))
                                .state()
                        + ", not "
                        + state
                        + ".");
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
