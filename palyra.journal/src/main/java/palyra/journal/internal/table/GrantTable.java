package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteException;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Operation;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;

/** Grants, and how often they were used. */
public final class GrantTable {
    private static final String COLUMNS =
            "grant_id, approval_id, session_id, principal, agent_id, tool, call_id, state, payload,"
                    + " created_at, expires_at, max_uses, uses, ended_at, ended_by";
    private static final String SELECT = "SELECT " + COLUMNS + " FROM grants WHERE ";

    private final Sql sql;

    GrantTable(Sql sql) {
        this.sql = sql;
    }

    private static GrantRow read(ResultSet row) throws SQLException {
        return new GrantRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                GrantRow.State.valueOf(row.getString(8)),
                row.getBytes(9),
                row.getLong(10),
                row.getLong(11),
                row.getInt(12),
                row.getInt(13),
                row.getLong(14),
                row.getString(15));
    }

    public Optional<GrantRow> find(String grantId) throws SQLException {
        return sql.one(SELECT + "grant_id = ?", GrantTable::read, grantId);
    }

    private GrantRow require(String grantId) throws SQLException {
        return find(grantId).orElseThrow(() -> Rejections.notFound("grant", grantId));
    }

    /** With everything given the query follows the index of grants that cover something. */
    public List<GrantRow> page(
            String principal,
            String sessionId,
            String tool,
            long activeAt,
            String afterId,
            int limit)
            throws SQLException {
        if (!principal.isEmpty() && !sessionId.isEmpty() && !tool.isEmpty() && activeAt > 0) {
            return covering(principal, sessionId, tool, activeAt, afterId, limit);
        }
        String who = principal.isEmpty() ? "" : "principal = ? AND ";
        String covering =
                activeAt == 0
                        ? "(? = '' OR tool = ?) AND (? = 0 OR ? = 0)"
                        : "state = 'ACTIVE' AND (? = '' OR tool = ?)"
                                + " AND (expires_at = 0 OR expires_at > ?) AND ? > 0";
        String where =
                SELECT
                        + who
                        + covering
                        + " AND (? = '' OR session_id = '' OR session_id = ?) AND grant_id > ?"
                        + " ORDER BY grant_id LIMIT ?";
        return who.isEmpty()
                ? sql.readable(
                        where,
                        GrantTable::read,
                        tool,
                        tool,
                        activeAt,
                        activeAt,
                        sessionId,
                        sessionId,
                        afterId,
                        limit)
                : sql.readable(
                        where,
                        GrantTable::read,
                        principal,
                        tool,
                        tool,
                        activeAt,
                        activeAt,
                        sessionId,
                        sessionId,
                        afterId,
                        limit);
    }

    /**
     * Returns what may cover a call now. Grants of the session and those of none, without an end
     * and with one: each of the four follows the index, which passes over grants whose time is
     * over.
     */
    private List<GrantRow> covering(
            String principal, String sessionId, String tool, long at, String afterId, int limit)
            throws SQLException {
        List<GrantRow> found = new ArrayList<>();
        for (String session : List.of("", sessionId)) {
            for (String end : List.of("expires_at = 0 AND ? > 0", "expires_at > ?")) {
                found.addAll(
                        sql.readable(
                                "SELECT "
                                        + COLUMNS
                                        + " FROM grants INDEXED BY grants_active"
                                        + " WHERE state = 'ACTIVE' AND principal = ? AND tool = ?"
                                        + " AND session_id = ? AND "
                                        + end
                                        + " AND grant_id > ? ORDER BY grant_id LIMIT ?",
                                GrantTable::read,
                                principal,
                                tool,
                                session,
                                at,
                                afterId,
                                limit));
            }
        }
        return found.stream().sorted(Comparator.comparing(GrantRow::grantId)).limit(limit).toList();
    }

    /** Ends some of the grants whose time is over; returns how many. */
    public int expire(long now, int limit) throws SQLException {
        return sql.update(
                "UPDATE grants SET state = 'EXPIRED', ended_at = expires_at WHERE grant_id IN"
                        + " (SELECT grant_id FROM grants WHERE state = 'ACTIVE' AND expires_at > 0"
                        + " AND expires_at <= ? ORDER BY expires_at LIMIT ?)",
                now,
                limit);
    }

    /** Moves the ends of grants that end with time. */
    public void move(long byMillis) throws SQLException {
        sql.update(
                "UPDATE grants SET expires_at = max(1, expires_at + ?)"
                        + " WHERE state = 'ACTIVE' AND expires_at > 0",
                byMillis);
    }

    /** Ends all grants that end with time. */
    public void endTimed(long now) throws SQLException {
        sql.update(
                "UPDATE grants SET state = 'EXPIRED', ended_at = ?"
                        + " WHERE state = 'ACTIVE' AND expires_at > 0",
                now);
    }

    public void insert(GrantRow row, long now) throws SQLException {
        try {
            sql.update(
                    "INSERT INTO grants (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    row.grantId(),
                    row.approvalId(),
                    row.sessionId(),
                    row.principal(),
                    row.agentId(),
                    row.tool(),
                    row.callId(),
                    row.state().name(),
                    row.payload(),
                    now,
                    row.expiresAtMillis(),
                    row.maxUses(),
                    row.uses(),
                    row.endedAtMillis(),
                    row.endedBy());
        } catch (SQLiteException e) {
            throw Tables.orTaken(e, "grant", row.grantId());
        }
    }

    /** Counts one start; the last one that there may be ends the grant. */
    public void use(Operation.UseGrant use, long now) throws SQLException {
        GrantRow found = require(use.grantId());
        requireActive(found);
        if (found.expiresAtMillis() != 0 && found.expiresAtMillis() <= now) {
            throw Rejections.conflict("Grant " + found.grantId() + " has expired.");
        }
        if (!found.callId().isEmpty() && !found.callId().equals(use.callId())) {
            throw Rejections.conflict(
                    "Grant "
                            + found.grantId()
                            + " covers call "
                            + found.callId()
                            + " alone, not "
                            + use.callId()
                            + ".");
        }
        try {
            sql.update(
                    "INSERT INTO grant_uses (grant_id, call_id, attempt, used_at)"
                            + " VALUES (?,?,?,?)",
                    use.grantId(),
                    use.callId(),
                    use.attempt(),
                    now);
        } catch (SQLiteException e) {
            if (SqliteFailure.of(e) == SqliteFailure.CONSTRAINT) {
                throw Rejections.conflict(
                        "Attempt "
                                + use.attempt()
                                + " of call "
                                + use.callId()
                                + " used grant "
                                + use.grantId()
                                + " before.");
            }
            throw e;
        }
        boolean last = found.maxUses() != 0 && found.uses() + 1 >= found.maxUses();
        sql.update(
                "UPDATE grants SET uses = uses + 1, state = ?, ended_at = ? WHERE grant_id = ?",
                last ? GrantRow.State.EXHAUSTED.name() : GrantRow.State.ACTIVE.name(),
                last ? now : 0L,
                use.grantId());
    }

    private static void requireActive(GrantRow found) {
        if (found.state() != GrantRow.State.ACTIVE) {
            throw Rejections.conflict(
                    "Grant "
                            + found.grantId()
                            + " is not active: it is "
                            + found.state()
                            + (found.endedBy().isEmpty() ? "" : " by " + found.endedBy())
                            + ".");
        }
    }

    public void revoke(Operation.RevokeGrant revocation, long now) throws SQLException {
        requireActive(require(revocation.grantId()));
        sql.update(
                "UPDATE grants SET state = 'REVOKED', ended_at = ?, ended_by = ?"
                        + " WHERE grant_id = ?",
                now,
                revocation.by(),
                revocation.grantId());
    }

    /** A call ended, or its approval is requested again: its one-call grant expires. */
    public void endOfCall(String sessionId, String callId, long now) throws SQLException {
        sql.update(
                "UPDATE grants SET state = 'EXPIRED', ended_at = ?"
                        + " WHERE session_id = ? AND state = 'ACTIVE' AND call_id = ?"
                        + " AND call_id <> ''",
                now,
                sessionId,
                callId);
    }

    public void endOfSession(String sessionId, long now) throws SQLException {
        sql.update(
                "UPDATE grants SET state = 'EXPIRED', ended_at = ?"
                        + " WHERE session_id = ? AND state = 'ACTIVE'",
                now,
                sessionId);
    }
}
