package palyra.journal.internal.verify;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import palyra.journal.internal.database.Sql;

/**
 * Reads every row of one table in the order of its primary key, a page at each step: a page of the
 * database that cannot be read, or that contradicts itself, shows as an exception. Used by one
 * thread.
 */
final class TableWalk {
    private static final int PAGE = 100;

    private final String table;
    private List<Key> keys; // null until the first step
    private List<Object> last = List.of(); // of these columns, in the row that was read last
    private boolean done;

    private record Key(String column, boolean number) {
        /** Returns what no value of the column is below. */
        Object least() {
            return number ? (Object) Long.MIN_VALUE : "";
        }
    }

    TableWalk(String table) {
        this.table = table;
    }

    /** Reads a page; returns about how many bytes it has. */
    long advance(Sql sql) throws SQLException {
        if (keys == null) {
            keys = keys(sql);
        }
        if (keys.isEmpty()) {
            done = true; // no table of the journal is without a key
            return 0;
        }
        long[] bytes = {0};
        List<List<Object>> rows =
                sql.list(
                        last.isEmpty() ? first() : next(),
                        row -> read(row, bytes),
                        last.isEmpty() ? new Object[] {keys.getFirst().least()} : last.toArray());
        last = rows.isEmpty() ? last : rows.getLast();
        done = rows.size() < PAGE;
        return bytes[0];
    }

    private List<Key> keys(Sql sql) throws SQLException {
        return sql.list(
                "SELECT name, type FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
                row -> new Key(row.getString(1), row.getString(2).equals("INTEGER")),
                table);
    }

    private String columns() {
        return String.join(", ", keys.stream().map(Key::column).toList());
    }

    private String first() {
        return "SELECT * FROM " + table + " WHERE " + keys.getFirst().column() + " >= ?" + page();
    }

    private String next() {
        String marks = String.join(", ", Collections.nCopies(keys.size(), "?"));
        return "SELECT * FROM " + table + " WHERE (" + columns() + ") > (" + marks + ")" + page();
    }

    private String page() {
        return " ORDER BY " + columns() + " LIMIT " + PAGE;
    }

    /** Reads all columns and returns those of the key. */
    private List<Object> read(ResultSet row, long[] bytes) throws SQLException {
        int columns = row.getMetaData().getColumnCount();
        for (int i = 1; i <= columns; i++) {
            Object value = row.getObject(i);
            bytes[0] +=
                    switch (value) {
                        case byte[] blob -> blob.length;
                        case String text -> text.length();
                        case null, default -> Long.BYTES;
                    };
        }
        List<Object> key = new ArrayList<>();
        for (Key each : keys) {
            key.add(
                    each.number()
                            ? (Object) row.getLong(each.column())
                            : row.getString(each.column()));
        }
        return key;
    }

    boolean done() {
        return done;
    }

    /** Returns after which row it is; empty before the first. */
    String after() {
        return last.isEmpty() ? "" : last.toString();
    }
}
