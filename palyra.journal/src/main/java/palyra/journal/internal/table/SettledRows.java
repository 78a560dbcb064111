package palyra.journal.internal.table;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import palyra.api.core.journal.SettledKind;
import palyra.journal.internal.database.Sql;
import palyra.shared.hash.Ulids;

/** Rows of the tables that are written with each message, once nothing waits for them. */
public final class SettledRows {
    private static final String ENDED = "r." + RunTable.ENDED_STATES;

    private final Sql sql;
    private final TextTable texts;

    SettledRows(Sql sql, TextTable texts) {
        this.sql = sql;
        this.texts = texts;
    }

    /**
     * A table of such rows.
     *
     * @param settled condition on a row, which no index on states leads: rows follow their ids; ?1
     *     is the time before which it was settled
     * @param texts whether a row may refer to texts
     * @param parts tables with rows that belong to one of this
     */
    private record Table(
            String name, String id, String settled, boolean texts, List<String> parts) {}

    private static Table table(SettledKind kind) {
        return switch (kind) {
            case MESSAGE ->
                    new Table(
                            "inbox",
                            "message_id",
                            "created_at < ?1 AND (+state IN ('REJECTED', 'IGNORED') OR +state = 'ROUTED' AND EXISTS"
                                    + " (SELECT 1 FROM runs r WHERE r.run_id = inbox.run_id AND "
                                    + ENDED
                                    + " AND r.updated_at < ?1))",
                            true,
                            List.of());
            case ANSWER ->
                    new Table(
                            "outbox",
                            "outbox_id",
                            "updated_at < ?1 AND +state IN ('READABLE', 'SENT', 'FAILED',"
                                    + " 'WITHDRAWN') AND (run_id = '' OR EXISTS (SELECT 1 FROM"
                                    + " runs r WHERE r.run_id = outbox.run_id AND "
                                    + ENDED
                                    + "))",
                            true,
                            List.of());
            case COMMAND ->
                    new Table(
                            "commands",
                            "command_id",
                            "created_at < ?1 AND done = 1",
                            false,
                            List.of());
            case APPROVAL ->
                    new Table(
                            "approvals",
                            "approval_id",
                            "state <> 'PENDING' AND decided_at < ?1 AND (run_id = '' OR EXISTS"
                                    + " (SELECT 1 FROM runs r WHERE r.run_id = approvals.run_id AND "
                                    + ENDED
                                    + "))",
                            false,
                            List.of("approval_votes"));
            case GRANT ->
                    new Table(
                            "grants",
                            "grant_id",
                            "state <> 'ACTIVE' AND ended_at < ?1",
                            false,
                            List.of("grant_uses"));
        };
    }

    /** Returns ids in their order, of rows that were settled before a time. */
    public List<String> page(SettledKind kind, long before, String afterId, int limit)
            throws SQLException {
        Table table = table(kind);
        return sql.list(
                "SELECT "
                        + table.id()
                        + " FROM "
                        + table.name()
                        + " WHERE "
                        + table.settled()
                        + " AND "
                        + table.id()
                        + " > ?2 AND "
                        + table.id()
                        + " < ?3 ORDER BY "
                        + table.id()
                        + " LIMIT ?4",
                row -> row.getString(1),
                before,
                afterId,
                Ulids.firstAt(Math.max(0, before)),
                limit);
    }

    /** Deletes a row; CONFLICT when it is there and was not settled before that time. */
    public void drop(SettledKind kind, String id, long before) throws SQLException {
        Table table = table(kind);
        String key = " WHERE " + table.id() + " = ";
        List<byte[]> references =
                table.texts()
                        ? sql.list(
                                "SELECT texts FROM " + table.name() + key + "?",
                                row -> row.getBytes(1),
                                id)
                        : List.of();
        int dropped =
                sql.update(
                        "DELETE FROM " + table.name() + key + "?2 AND " + table.settled(),
                        before,
                        id);
        if (dropped > 0) {
            for (byte[] each : references) {
                texts.release(each);
            }
            for (String part : table.parts()) {
                sql.update("DELETE FROM " + part + key + "?", id);
            }
        } else if (sql.exists("SELECT 1 FROM " + table.name() + key + "?", id)) {
            throw Rejections.conflict(
                    "The "
                            + kind.name().toLowerCase(Locale.ROOT)
                            + " "
                            + id
                            + " cannot be dropped: it was not settled before "
                            + Instant.ofEpochMilli(before)
                            + ".");
        }
    }
}
