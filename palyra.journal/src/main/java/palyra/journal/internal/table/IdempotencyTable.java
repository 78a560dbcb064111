package palyra.journal.internal.table;

import java.sql.SQLException;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.IdempotencyKey;
import palyra.journal.internal.database.Sql;

/** Answers to requests that must not happen twice. Their age is measured in open time. */
public final class IdempotencyTable {
    private final Sql sql;

    IdempotencyTable(Sql sql) {
        this.sql = sql;
    }

    @SuppressWarnings("ArrayRecordComponent") // bytes as stored
    private record Row(String requestSha256, byte[] result) {}

    /** Returns the stored answer; IDEMPOTENCY_MISMATCH when the key was for another request. */
    public Optional<byte[]> find(IdempotencyKey key) throws SQLException {
        Optional<Row> row =
                sql.one(
                        "SELECT request_sha256, result FROM idempotency"
                                + " WHERE scope = ? AND key = ?",
                        found -> new Row(found.getString(1), found.getBytes(2)),
                        key.scope(),
                        key.key());
        if (row.isPresent() && !row.get().requestSha256().equals(key.requestSha256())) {
            throw new PalyraException(
                    ErrorCode.IDEMPOTENCY_MISMATCH,
                    "Idempotency key '"
                            + key.key()
                            + "' was used before for a different request; choose a new key.");
        }
        return row.map(Row::result);
    }

    public void put(IdempotencyKey key, byte[] result, long openMillis) throws SQLException {
        sql.update(
                "INSERT INTO idempotency (scope, key, request_sha256, result, open_at)"
                        + " VALUES (?, ?, ?, ?, ?)",
                key.scope(),
                key.key(),
                key.requestSha256(),
                result,
                openMillis);
    }

    /** Forgets some of the keys from before an open time; returns how many. */
    public int prune(long before, int limit) throws SQLException {
        return sql.update(
                "DELETE FROM idempotency WHERE (scope, key) IN (SELECT scope, key"
                        + " FROM idempotency WHERE open_at < ? ORDER BY open_at LIMIT ?)",
                before,
                limit);
    }
}
