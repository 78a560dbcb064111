package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.sqlite.SQLiteException;
import palyra.api.core.journal.CommandRow;
import palyra.journal.internal.database.Sql;

/** Durable commands. */
public final class CommandTable {
    private static final String COLUMNS =
            "command_id, kind, target, principal, payload, done, result, created_at";

    private final Sql sql;

    CommandTable(Sql sql) {
        this.sql = sql;
    }

    private static CommandRow read(ResultSet row) throws SQLException {
        return new CommandRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getBytes(5),
                row.getInt(6) != 0,
                row.getString(7),
                row.getLong(8));
    }

    public List<CommandRow> pending(String afterId, int limit) throws SQLException {
        return sql.readable(
                "SELECT "
                        + COLUMNS
                        + " FROM commands WHERE done = 0 AND command_id > ?"
                        + " ORDER BY command_id LIMIT ?",
                CommandTable::read,
                afterId,
                limit);
    }

    public void insert(CommandRow row, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO commands (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?)",
                    row.commandId(),
                    row.kind(),
                    row.target(),
                    row.principal(),
                    row.payload(),
                    row.done() ? 1 : 0,
                    row.result(),
                    now);
        } catch (SQLiteException e) {
            throw Tables.orTaken(e, "command", row.commandId());
        }
    }

    public void finish(String commandId, String result) throws SQLException {
        int changed =
                sql.update(
                        "UPDATE commands SET done = 1, result = ? WHERE command_id = ? AND done ="
                                + " 0",
                        result,
                        commandId);
        if (changed == 0) {
            if (!sql.exists("SELECT 1 FROM commands WHERE command_id = ?", commandId)) {
                throw Rejections.notFound("command", commandId);
            }
            throw Rejections.conflict("Command " + commandId + " was done before.");
        }
    }
}
