package palyra.journal.internal.database;

import java.io.IOException;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.journal.internal.write.SessionIndex;
import palyra.shared.files.MediumFailure;

/** The meaning of an SQLite failure for the store. */
public enum SqliteFailure {
    /** A value broke a rule of the schema; only the statement failed. */
    CONSTRAINT(ErrorCode.CONFLICT, ""),
    /** Another process holds the database. */
    LOCKED(
            ErrorCode.JOURNAL_UNAVAILABLE,
            "The journal's database is locked by another process; close that process."),
    /** A read that does not end keeps the write-ahead log from restarting. */
    LOG_HELD(
            ErrorCode.RESOURCE_EXHAUSTED,
            "The journal's write-ahead log has reached its limit because a read of its database"
                    + " does not end; nothing happened, and nothing is written until then. End the"
                    + " process that reads (a prompt of sqlite3, a backup)."),
    /** Another process may hold the database, since our lock was taken away. */
    LOCK_LOST(
            ErrorCode.JOURNAL_UNAVAILABLE,
            "The journal's lock file was removed while it was in use, so that another process may"
                    + " have the database now; nothing is written until it is locked again. Leave"
                    + " files of the journal folder alone."),
    /** No space. */
    FULL(
            ErrorCode.DISK_FULL,
            "The journal's medium has no space left; free some and writing goes on by itself."),
    /** The medium refuses writes. */
    READ_ONLY(
            ErrorCode.READ_ONLY,
            "The journal's medium refuses writes; make it writable and writing goes on by itself."),
    /** The database's pages contradict each other. */
    CORRUPT(
            ErrorCode.CORRUPT,
            "The journal's database is damaged; run palyra tape verify, then restore a backup or"
                    + " copy the database aside."),
    /** Reading, writing or syncing failed. */
    IO(
            ErrorCode.JOURNAL_UNAVAILABLE,
            "The journal's medium failed; look at the system's log for the device."),
    /** SQLite's native library is not loaded; the exception says why. */
    NO_LIBRARY(ErrorCode.JOURNAL_UNAVAILABLE, "The SQLite library could not be loaded."),
    /** Not enough memory for this. */
    MEMORY(
            ErrorCode.RESOURCE_EXHAUSTED,
            "The journal ran out of memory; try again with less at once."),
    /** A defect of ours. */
    DEFECT(ErrorCode.INTERNAL, "The journal met a defect; please report it.");

    private static final int PRIMARY = 0xff;
    private static final long NO_SPACE_BYTES = 1 << 20;

    private final ErrorCode code;
    private final String sentence;

    SqliteFailure(ErrorCode code, String sentence) {
        this.code = code;
        this.sentence = sentence;
    }

    /** Returns what an exception means. */
    public static SqliteFailure of(SQLException thrown) {
        if (thrown instanceof DatabaseLock.Lost) {
            return LOCK_LOST;
        }
        if (thrown instanceof SessionIndex.Damaged) {
            return CORRUPT;
        }
        if (thrown instanceof UnconfirmedCommit unconfirmed) {
            return unconfirmed.getCause() instanceof SQLException cause ? of(cause) : DEFECT;
        }
        if (thrown instanceof SqliteLibrary.Missing missing) {
            return missing.full() ? FULL : NO_LIBRARY;
        }
        if (!(thrown instanceof SQLiteException sqlite)) {
            return DEFECT;
        }
        SQLiteErrorCode exact = sqlite.getResultCode();
        if (exact == SQLiteErrorCode.SQLITE_IOERR_NOMEM) {
            return MEMORY;
        }
        if (exact == SQLiteErrorCode.SQLITE_READONLY_DBMOVED) {
            return IO; // the file was moved away: writing on would write into nothing
        }
        return switch (exact.code & PRIMARY) {
            case 19, 20 -> CONSTRAINT;
            case 5, 6, 15 -> LOCKED;
            case 13 -> FULL;
            case 3, 8, 14, 23 -> READ_ONLY;
            case 11, 26 -> CORRUPT;
            case 10 -> IO;
            case 7 -> MEMORY;
            default -> DEFECT;
        };
    }

    /**
     * Returns what an exception means on this medium: a full or read-only one also shows as a plain
     * input/output error, and as a file that cannot be opened. A sync that failed is never that:
     * what it was about may be lost.
     */
    public static SqliteFailure of(SQLException thrown, DatabaseFile file) {
        SqliteFailure told = of(thrown);
        if ((told != IO && told != READ_ONLY) || syncFailed(thrown)) {
            return told;
        }
        if (file.mediumReadOnly()) {
            return READ_ONLY;
        }
        long free = file.freeBytes();
        return free >= 0 && free < NO_SPACE_BYTES ? FULL : told;
    }

    private static boolean syncFailed(SQLException thrown) {
        return (thrown instanceof UnconfirmedCommit ? thrown.getCause() : thrown)
                        instanceof SQLiteException sqlite
                && (sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_FSYNC
                        || sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_DIR_FSYNC);
    }

    /** Returns the meaning of an exception from the folder; IO when the medium is not its cause. */
    public static SqliteFailure of(IOException thrown, DatabaseFile file) {
        return switch (MediumFailure.of(thrown, file.folder())) {
            case NO_SPACE -> FULL;
            case READ_ONLY -> READ_ONLY;
            case NO_PERMISSION, IO -> IO;
        };
    }

    /** Returns the sentence that an operator reads, with the reason where the exception has it. */
    public String sentence(SQLException thrown) {
        return thrown instanceof SqliteLibrary.Missing ? thrown.getMessage() : sentence;
    }

    /** Returns the sentence that an operator reads. */
    public String sentence() {
        return sentence;
    }

    /** Returns the exception that a caller gets. */
    public PalyraException exception(Throwable cause) {
        String told = cause instanceof SQLException thrown ? sentence(thrown) : sentence;
        return new PalyraException(code, told, cause);
    }

    /**
     * Returns whether a commit that failed so may have happened all the same. SQLite writes the
     * frame that makes a transaction count last and then syncs the log: without room, on a medium
     * that refuses writes, or while another process has the database, that frame was not written.
     * Any other failure may have come after it.
     */
    public boolean leavesCommitOpen() {
        return switch (this) {
            case LOCKED, LOG_HELD, FULL, READ_ONLY, CONSTRAINT, NO_LIBRARY -> false;
            case LOCK_LOST, CORRUPT, IO, MEMORY, DEFECT -> true;
        };
    }

    /** Returns whether the failure is about one unit and its neighbours are unharmed. */
    public boolean ofOneUnit() {
        return this == CONSTRAINT || this == DEFECT;
    }
}
