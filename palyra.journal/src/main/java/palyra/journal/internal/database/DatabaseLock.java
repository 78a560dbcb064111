package palyra.journal.internal.database;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.Objects;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Makes a store the only one on its database, against any other process and any other path to the
 * same file. The lock is the kernel's, on an empty file beside the database's real path: it dies
 * with the process and with nothing else, and a file that was left behind locks nothing.
 *
 * <p>SQLite takes the lock. A process loses every lock on a file of its own when it closes any
 * descriptor of that file; SQLite alone knows how to live with that. For the same reason nothing
 * here ever opens the lock file in another way.
 *
 * <p>Guarded by the writer's turn, but for {@link #close}.
 */
public final class DatabaseLock implements AutoCloseable {
    private final DatabaseFile database;
    private Path file; // null until it was taken once
    private LockHolder holder;
    private Object key; // of the file that is locked, as the file system names it
    private Sql sql; // holds the lock while it is open

    public DatabaseLock(DatabaseFile database) {
        this.database = database;
    }

    /** Another store has the database. It may go away by itself. */
    public static final class Held extends Exception {
        private static final long serialVersionUID = 1L;

        Held(String sentence) {
            super(sentence);
        }
    }

    /** The lock that was taken is not what others would be kept out by any more. */
    static final class Lost extends SQLException {
        private static final long serialVersionUID = 1L;

        Lost(Path file) {
            super(file + " was removed or replaced");
        }
    }

    /**
     * Takes the lock unless it is held and good. The database must be there.
     *
     * @throws Held while another store has it, or could have it by another name
     * @throws SQLException as for the database itself: no space, a read-only medium
     */
    public void take() throws Held, SQLException, IOException {
        if (sql != null && isGood()) {
            return;
        }
        release();
        Path real = database.path().toRealPath();
        FileNames.requireOne(real);
        file = DatabaseFile.lockOf(real);
        holder = new LockHolder(real);
        make();
        lock();
    }

    /** Returns whether a process took the lock at some time, and may hold it now. */
    public boolean wasEverTaken() throws IOException {
        return Files.exists(DatabaseFile.lockOf(database.path().toRealPath()));
    }

    private void make() throws SQLException, IOException {
        try {
            Files.createFile(file, DatabaseFile.mode("rw-------"));
        } catch (FileAlreadyExistsException e) {
            // the usual case
        } catch (IOException e) {
            throw inSqliteTerms(e);
        }
    }

    private SQLException inSqliteTerms(IOException e) throws IOException {
        return switch (SqliteFailure.of(e, database)) {
            case FULL -> new SQLiteException(e.toString(), SQLiteErrorCode.SQLITE_FULL);
            case READ_ONLY -> new SQLiteException(e.toString(), SQLiteErrorCode.SQLITE_READONLY);
            default -> throw e;
        };
    }

    private void lock() throws Held, SQLException, IOException {
        key = keyOf(file);
        Sql taking = new Sql(DatabaseFile.connect(file));
        try {
            taking.execute("PRAGMA busy_timeout = 0"); // who has it has it for long
            taking.text("PRAGMA journal_mode = MEMORY"); // the file stays empty and alone
            taking.execute("BEGIN IMMEDIATE");
        } catch (SQLException e) {
            taking.closeQuietly();
            if (SqliteFailure.of(e) == SqliteFailure.LOCKED) {
                throw new Held(holder.sentence());
            }
            throw e;
        }
        sql = taking;
        require(); // the file may have been replaced before it was opened
        holder.write();
    }

    private static Object keyOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Returns whether who looks for the lock meets this one. */
    private boolean isGood() {
        try {
            return Objects.equals(key, keyOf(file));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Checked within each transaction, when no other process can write: throws unless the lock is
     * held.
     */
    public void require() throws Lost {
        if (sql == null || !isGood()) {
            throw new Lost(file);
        }
    }

    private void release() {
        if (sql != null) {
            sql.closeQuietly();
            sql = null;
        }
    }

    /** Releases the database. The caller must have closed every connection. */
    @Override
    public void close() {
        if (sql != null) {
            holder.erase();
        }
        release();
    }
}
