package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.Document;
import palyra.journal.internal.database.Sql;

/** Documents. */
public final class DocumentTable {
    private static final String SELECT =
            "SELECT collection, key, version, content, updated_at FROM documents"
                    + " WHERE collection = ? AND ";

    private final Sql sql;

    DocumentTable(Sql sql) {
        this.sql = sql;
    }

    private static Document read(ResultSet row) throws SQLException {
        return new Document(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                row.getBytes(4),
                row.getLong(5));
    }

    public Optional<Document> find(String collection, String key) throws SQLException {
        return sql.one(SELECT + "key = ?", DocumentTable::read, collection, key);
    }

    public List<Document> page(String collection, String afterKey, int limit) throws SQLException {
        return sql.list(
                SELECT + "key > ? ORDER BY key LIMIT ?",
                DocumentTable::read,
                collection,
                afterKey,
                limit);
    }

    public long version(String collection, String key) throws SQLException {
        return sql.number(
                "SELECT version FROM documents WHERE collection = ? AND key = ?",
                0,
                collection,
                key);
    }

    public void put(String collection, String key, byte[] content, long now) throws SQLException {
        sql.update(
                "INSERT INTO documents (collection, key, version, content, updated_at)"
                        + " VALUES (?, ?, 1, ?, ?) ON CONFLICT (collection, key) DO UPDATE SET"
                        + " version = version + 1, content = excluded.content,"
                        + " updated_at = excluded.updated_at",
                collection,
                key,
                content,
                now);
    }

    public void delete(String collection, String key) throws SQLException {
        sql.update("DELETE FROM documents WHERE collection = ? AND key = ?", collection, key);
    }
}
