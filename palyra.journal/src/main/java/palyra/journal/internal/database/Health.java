package palyra.journal.internal.database;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;

/** The health of the store, as its threads find it. Thread-safe. */
public final class Health {
    private final DatabaseFile file;
    private final CountDownLatch tried = new CountDownLatch(1);
    private volatile Standing standing =
            new Standing(
                    State.STOPPED, ErrorCode.JOURNAL_UNAVAILABLE, "The journal is being opened.");
    private volatile boolean reopen;
    private volatile boolean spaceShort;
    private volatile boolean openedOnce;

    public Health(DatabaseFile file) {
        this.file = file;
    }

    /** State, the code of refusals in it, and the sentence that explains it. */
    public record Standing(State state, ErrorCode code, String detail) {}

    /** Returns how it is. */
    public Standing standing() {
        return standing;
    }

    /** The database takes writes; while space is short that is not said aloud. */
    public synchronized void works() {
        if (!reopen && !spaceShort && standing.state() != State.OPEN) {
            standing = new Standing(State.OPEN, ErrorCode.JOURNAL_UNAVAILABLE, "");
        }
        tried.countDown();
    }

    /** The database was opened: earlier problems are over. */
    public synchronized void opened() {
        reopen = false;
        openedOnce = true;
        standing =
                spaceShort ? full() : new Standing(State.OPEN, ErrorCode.JOURNAL_UNAVAILABLE, "");
        tried.countDown();
    }

    /** Returns what an exception means on this medium: a full one also fails in other words. */
    public SqliteFailure meaning(SQLException e) {
        return SqliteFailure.of(e, file);
    }

    /** Returns what a read that failed is refused with. */
    public PalyraException readRefusal(SqliteFailure failure, SQLException e) {
        boolean halfMade = failure == SqliteFailure.DEFECT && !openedOnce; // no tables yet
        boolean gone = // or cannot be opened: why the store stopped says more
                failure == SqliteFailure.READ_ONLY && standing.state() == State.STOPPED;
        return halfMade || gone ? refusal() : failure.exception(e);
    }

    /** Writing met a failure. Failures of one unit or of memory say nothing about the store. */
    public void failed(SqliteFailure failure) {
        failed(failure, failure.sentence());
    }

    /** As above, in words that say more. */
    public synchronized void failed(SqliteFailure failure, String detail) {
        switch (failure) {
            case LOCKED -> unlessStopped(State.READ_ONLY, ErrorCode.JOURNAL_UNAVAILABLE, detail);
            case LOG_HELD -> unlessStopped(State.READ_ONLY, ErrorCode.RESOURCE_EXHAUSTED, detail);
            case READ_ONLY -> unlessStopped(State.READ_ONLY, ErrorCode.READ_ONLY, detail);
            case FULL -> unlessStopped(State.DISK_FULL, ErrorCode.DISK_FULL, detail);
            case CORRUPT -> stop(ErrorCode.CORRUPT, detail);
            case LOCK_LOST, IO, NO_LIBRARY -> stop(ErrorCode.JOURNAL_UNAVAILABLE, detail);
            case CONSTRAINT, MEMORY, DEFECT -> {
                // nothing about the store
            }
        }
    }

    private void unlessStopped(State state, ErrorCode code, String detail) {
        if (!reopen) {
            standing = new Standing(state, code, detail);
        }
        tried.countDown();
    }

    /** Neither reads nor writes continue until the database was reopened and verified. */
    public synchronized void stop(ErrorCode code, String detail) {
        standing = new Standing(State.STOPPED, code, detail);
        reopen = true;
        tried.countDown();
    }

    /** Space got short, or there is enough again. */
    public synchronized void spaceShort(boolean isShort) {
        if (isShort == spaceShort) {
            return;
        }
        spaceShort = isShort;
        if (isShort && standing.state() == State.OPEN) {
            standing = full();
        }
    }

    private static Standing full() {
        return new Standing(State.DISK_FULL, ErrorCode.DISK_FULL, SqliteFailure.FULL.sentence());
    }

    /** Returns whether writes that do not free space must be refused. */
    public boolean isSpaceShort() {
        return spaceShort;
    }

    /** Returns whether the database has to be closed and reopened. */
    public boolean wantsReopening() {
        return reopen;
    }

    /** Returns the refusal that fits the state. */
    public PalyraException refusal() {
        Standing now = standing;
        return new PalyraException(
                now.code(),
                now.detail().isEmpty() ? "The journal is not available now." : now.detail());
    }

    /** Waits until opening was tried once. */
    public void awaitFirstTry(long millis) {
        try {
            if (!tried.await(millis, TimeUnit.MILLISECONDS)) {
                throw refusal();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.TIMED_OUT,
                    "The caller was interrupted while the journal was being opened; try again.",
                    e);
        }
    }

    /** Throws unless reads go on. */
    public void requireReadable() {
        if (standing.state() == State.STOPPED) {
            throw refusal();
        }
    }
}
