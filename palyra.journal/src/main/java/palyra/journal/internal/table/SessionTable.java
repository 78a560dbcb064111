package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.api.run.SessionView;
import palyra.journal.internal.database.Sql;

/** Sessions. */
public final class SessionTable {
    static final String COLUMNS =
            "session_id, key, label, principal, device_id, channel, agent_id, created_at,"
                    + " updated_at, archived_at, last_run_id";
    private static final String SELECT = "SELECT " + COLUMNS + " FROM sessions WHERE ";

    private final Sql sql;

    SessionTable(Sql sql) {
        this.sql = sql;
    }

    static SessionView read(ResultSet row) throws SQLException {
        return new SessionView(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getLong(8),
                row.getLong(9),
                row.getLong(10),
                row.getString(11));
    }

    public Optional<SessionView> find(String sessionId) throws SQLException {
        return sql.one(SELECT + "session_id = ?", SessionTable::read, sessionId);
    }

    public Optional<SessionView> findByKey(String principal, String key) throws SQLException {
        return sql.one(
                SELECT + "principal = ? AND key = ? AND key <> ''",
                SessionTable::read,
                principal,
                key);
    }

    public List<SessionView> page(
            String principal, String text, String beforeId, int limit, boolean includeArchived)
            throws SQLException {
        if (text.codePointCount(0, text.length()) >= SessionSearch.PIECE) {
            return new SessionSearch(sql)
                    .find(
                            new SessionSearch.Wanted(
                                    principal, text, beforeId, limit, includeArchived));
        }
        List<String> conditions = new ArrayList<>();
        List<Object> arguments = new ArrayList<>();
        if (!principal.isEmpty()) {
            conditions.add("principal = ?");
            arguments.add(principal);
        }
        if (!includeArchived) {
            conditions.add("archived_at = 0");
        }
        conditions.add("session_id < ?");
        arguments.add(beforeId.isEmpty() ? Tables.AFTER_EVERY_ID : beforeId);
        if (!text.isEmpty()) {
            conditions.add(
                    "(instr(lower(key), lower(?)) > 0 OR instr(lower(label), lower(?)) > 0)");
            arguments.add(text);
            arguments.add(text);
        }
        arguments.add(limit);
        return sql.readable(
                SELECT + String.join(" AND ", conditions) + " ORDER BY session_id DESC LIMIT ?",
                SessionTable::read,
                arguments.toArray());
    }

    /** Its entry in the index is written in a transaction that nothing else depends on. */
    private void toIndex(String sessionId) throws SQLException {
        sql.update(
                "INSERT OR IGNORE INTO session_pending (no)"
                        + " SELECT no FROM session_numbers WHERE session_id = ?",
                sessionId);
    }

    public void insert(SessionView session, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO sessions (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?,0,'')",
                    session.sessionId(),
                    session.key(),
                    session.label(),
                    session.principal(),
                    session.deviceId(),
                    session.channel(),
                    session.agentId(),
                    now,
                    now);
        } catch (SQLiteException e) {
            if (e.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE) {
                throw Rejections.taken("session named", "'" + session.key() + "'");
            }
            throw Tables.orTaken(e, "session", session.sessionId());
        }
        sql.update("INSERT INTO session_numbers (session_id) VALUES (?)", session.sessionId());
        toIndex(session.sessionId());
    }

    public void bind(String sessionId, String agentId, long now) throws SQLException {
        requireLive(sessionId);
        sql.update(
                "UPDATE sessions SET agent_id = ?, updated_at = ? WHERE session_id = ?",
                agentId,
                now,
                sessionId);
    }

    public void archive(String sessionId, long now) throws SQLException {
        if (require(sessionId).archivedAtMillis() != 0) {
            return;
        }
        boolean busy =
                sql.exists(
                        "SELECT 1 FROM runs WHERE session_id = ? AND "
                                + RunTable.OPEN_STATES
                                + " LIMIT 1",
                        sessionId);
        if (busy) {
            throw Rejections.conflict(
                    "Session "
                            + sessionId
                            + " cannot be archived: a run of it has not ended; cancel it or wait.");
        }
        toIndex(sessionId);
        sql.update(
                "UPDATE sessions SET key = '', archived_at = ?, updated_at = ? WHERE session_id ="
                        + " ?",
                now,
                now,
                sessionId);
    }

    /** A run of the session begins. */
    public void ran(String sessionId, String runId, long now) throws SQLException {
        sql.update(
                "UPDATE sessions SET last_run_id = ?, updated_at = ? WHERE session_id = ?",
                runId,
                now,
                sessionId);
    }

    /** Returns a session; NOT_FOUND when it does not exist. */
    private SessionView require(String sessionId) throws SQLException {
        return find(sessionId).orElseThrow(() -> Rejections.notFound("session", sessionId));
    }

    /** Throws NOT_FOUND, or CONFLICT when the session is archived. */
    public void requireLive(String sessionId) throws SQLException {
        if (require(sessionId).archivedAtMillis() != 0) {
            throw Rejections.conflict(
                    "Session " + sessionId + " is archived; begin a new one and use that.");
        }
    }

    /** Returns whether the session is there and live. */
    public boolean isLive(String sessionId) throws SQLException {
        return find(sessionId).map(session -> session.archivedAtMillis() == 0).orElse(false);
    }
}
