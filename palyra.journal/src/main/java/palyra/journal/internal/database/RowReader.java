package palyra.journal.internal.database;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes a value of the row that a result stands on. */
@FunctionalInterface
public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
}
