package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.journal.internal.database.Sql;

/** Accepted messages. */
public final class InboxTable {
    private static final String COLUMNS =
            "message_id, surface, dedupe_key, principal, payload, state, run_id, reason,"
                    + " created_at, texts, conversation, sender";
    private static final String SELECT = "SELECT " + COLUMNS + " FROM inbox WHERE ";

    private final Sql sql;
    private final TextTable texts;

    InboxTable(Sql sql, TextTable texts) {
        this.sql = sql;
        this.texts = texts;
    }

    private InboxRow read(ResultSet row) throws SQLException {
        return new InboxRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                texts.whole(row.getBytes(5), row.getBytes(10)),
                InboxRow.State.valueOf(row.getString(6)),
                row.getString(7),
                row.getString(8),
                row.getLong(9),
                row.getString(11),
                row.getString(12));
    }

    public Optional<InboxRow> find(String messageId) throws SQLException {
        return sql.one(SELECT + "message_id = ?", this::read, messageId);
    }

    public Optional<InboxRow> findByKey(String surface, String dedupeKey) throws SQLException {
        return sql.one(
                SELECT + "surface = ? AND dedupe_key = ? AND dedupe_key <> ''",
                this::read,
                surface,
                dedupeKey);
    }

    public List<InboxRow> pageIn(InboxRow.State state, String afterId, int limit)
            throws SQLException {
        return sql.readable(
                SELECT + "state = ? AND message_id > ? ORDER BY message_id LIMIT ?",
                this::read,
                state.name(),
                afterId,
                limit);
    }

    /** Returns what became a run, and what was taken back, from the newest; by its own index. */
    public List<InboxRow> pageOf(String surface, String conversation, String beforeId, int limit)
            throws SQLException {
        return sql.readable(
                SELECT
                        + "surface = ? AND conversation = ? AND conversation <> '' AND message_id < ?"
                        + " AND (state = 'ROUTED' OR reason IN ('deleted', 'deleted_after_start'))"
                        + " ORDER BY message_id DESC LIMIT ?",
                this::read,
                surface,
                conversation,
                beforeId.isEmpty() ? Tables.AFTER_EVERY_ID : beforeId,
                limit);
    }

    public boolean isIn(String messageId, InboxRow.State state) throws SQLException {
        return sql.exists(
                "SELECT 1 FROM inbox WHERE message_id = ? AND state = ?", messageId, state.name());
    }

    public void insert(InboxRow row, CutPayload payload, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO inbox (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                    row.messageId(),
                    row.surface(),
                    row.dedupeKey(),
                    row.principal(),
                    payload.rest(),
                    row.state().name(),
                    row.runId(),
                    row.reason(),
                    now,
                    texts.keep(payload),
                    row.conversation(),
                    row.sender());
        } catch (SQLiteException e) {
            if (e.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE) {
                if (hasRun(row.runId())) {
                    throw Rejections.taken("run", row.runId());
                }
                throw Rejections.taken("message", row.dedupeKey() + " of " + row.surface());
            }
            throw Tables.orTaken(e, "message", row.messageId());
        }
    }

    /** Returns whether a message has that run, be it made or only asked for. */
    private boolean hasRun(String runId) throws SQLException {
        return sql.exists("SELECT 1 FROM inbox WHERE run_id = ? AND run_id <> ''", runId);
    }

    public void settle(Operation.SettleInbox settling) throws SQLException {
        int changed =
                sql.update(
                        "UPDATE inbox SET state = ?, run_id = ?, reason = ?"
                                + " WHERE message_id = ? AND state = 'QUEUED'",
                        settling.state().name(),
                        settling.runId(),
                        settling.reason(),
                        settling.messageId());
        if (changed == 0) {
            InboxRow found =
                    find(settling.messageId())
                            .orElseThrow(
                                    () -> Rejections.notFound("message", settling.messageId()));
            throw Rejections.conflict(
                    "Message " + settling.messageId() + " is " + found.state() + ", not QUEUED.");
        }
    }
}
