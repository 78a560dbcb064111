package palyra.journal.internal.write;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.JournalStatus.State;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.database.Sql;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;

/**
 * Moves the write-ahead log into the database, on a thread and a connection of its own. Most of it
 * happens beside the writer; only the last part, after which the log restarts, takes the writer's
 * turn.
 */
public final class Checkpoints implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final long IDLE_MILLIS = 10_000;
    private static final long ROOM_MILLIS = 2_000;
    private static final int ROW_BYTES = 400; // digests, indexes and page overhead of an operation
    private static final int GROUP_BYTES = 16 << 10; // pages that each group writes again
    private static final int BUSY_MILLIS = 500;
    private static final long PAUSE_MILLIS = 50;
    private static final long FRAME_BYTES = 4_096 + 24; // a page and its header

    private final ConnectionSource connections;
    private final Health health;
    private final Meters meters;
    private final ReentrantLock turn;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile JournalSettings.Medium settings;
    private long logBytes; // guarded by lock; estimated
    private boolean truncate; // guarded by lock
    private boolean stopping; // guarded by lock
    private final ReentrantLock use = new ReentrantLock();
    private Sql sql; // guarded by use

    public Checkpoints(
            JournalSettings.Medium settings,
            ConnectionSource connections,
            Health health,
            Meters meters,
            ReentrantLock turn) {
        this.settings = settings;
        this.connections = connections;
        this.health = health;
        this.meters = meters;
        this.turn = turn;
    }

    public void settings(JournalSettings.Medium other) {
        settings = other;
    }

    /** The database was opened; a log of before may be there. */
    void opened(long bytes) {
        lock.lock();
        try {
            logBytes = bytes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A group was written. */
    void written(List<Ticket<?>> group, CommitEffects effects) {
        long rows = group.stream().mapToLong(ticket -> ticket.task().weight()).sum();
        lock.lock();
        try {
            logBytes += GROUP_BYTES + rows * ROW_BYTES + effects.payloadBytes();
            truncate |= effects.anythingErased();
            if (truncate || logBytes >= settings.checkpointBytes()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits, bounded, while the log is too long; false when it still is: then nothing may be
     * written, or the log would have no bound.
     */
    boolean awaitRoom() throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(ROOM_MILLIS);
            while (logBytes >= settings.logLimitBytes() && !stopping && left > 0) {
                left = changed.awaitNanos(left);
            }
            return hasRoom();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom() {
        return logBytes < settings.logLimitBytes() || stopping;
    }

    /** Returns whether something may be written now. */
    boolean roomNow() {
        lock.lock();
        try {
            return hasRoom();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        try {
            while (awaitWork()) {
                pulse.beat();
                checkpoint();
            }
            pulse.beat();
            last();
        } finally {
            close();
        }
    }

    /** All other connections are closed by now: the log goes into the database and is removed. */
    private void last() {
        use.lock();
        try {
            if (health.standing().state() != State.STOPPED) {
                connect();
                sql.execute("PRAGMA busy_timeout = " + BUSY_MILLIS);
                sql.pragma("PRAGMA wal_checkpoint(TRUNCATE)");
            }
        } catch (SQLException e) {
            LOG.warn("The last checkpoint failed; the next start makes it: {}", e.getMessage());
        } finally {
            use.unlock();
        }
    }

    /** Returns false when it is time to end. */
    private boolean awaitWork() throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
            while (!stopping && !truncate && logBytes < settings.checkpointBytes() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    private void checkpoint() throws InterruptedException {
        long before = taken();
        if ((before == 0 && !wantsTruncation()) || health.wantsReopening()) {
            pause();
            return;
        }
        boolean restarted = false;
        use.lock();
        try {
            connect();
            sql.pragma("PRAGMA wal_checkpoint(PASSIVE)");
            restarted = finish();
            meters.checkpoints.increment();
        } catch (SQLException e) {
            LOG.warn("A checkpoint of the journal failed: {}", e.getMessage());
            disconnect();
            health.failed(health.meaning(e));
        } finally {
            use.unlock();
        }
        if (!restarted) {
            pause();
        }
    }

    private long taken() {
        lock.lock();
        try {
            return logBytes;
        } finally {
            lock.unlock();
        }
    }

    private boolean wantsTruncation() {
        lock.lock();
        try {
            return truncate;
        } finally {
            lock.unlock();
        }
    }

    /** While it fails, attempts keep a pause between them, also under writes. */
    private void pause() throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
            while (!stopping && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves the rest while the writer is kept out, so that the log restarts; false when a reader is
     * in the way. It is not waited for here: the writer would wait too.
     */
    private boolean finish() throws SQLException {
        boolean shorten = wantsTruncation();
        turn.lock();
        try {
            String mode = shorten ? "TRUNCATE" : "RESTART";
            List<Long> told = sql.numbers("PRAGMA wal_checkpoint(" + mode + ")", 2);
            boolean busy = told.get(0) != 0;
            done(busy, shorten, Math.max(0, told.get(1)) * FRAME_BYTES);
            return !busy;
        } finally {
            turn.unlock();
        }
    }

    /**
     * A long reader is in the way at times: then it is tried again a little later.
     *
     * @param length bytes of the log that are in use
     */
    private void done(boolean busy, boolean shortened, long length) {
        lock.lock();
        try {
            logBytes = busy ? length : 0;
            truncate = truncate && (busy || !shortened);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void connect() throws SQLException {
        if (sql == null) {
            sql = new Sql(connections.open(ConnectionSource.Use.CHECKPOINT));
            sql.execute("PRAGMA busy_timeout = 0");
            sql.execute("PRAGMA synchronous = FULL");
            sql.execute("PRAGMA fullfsync = ON");
            sql.execute("PRAGMA checkpoint_fullfsync = ON");
            sql.execute("PRAGMA mmap_size = 0");
            sql.execute("PRAGMA journal_size_limit = " + settings.logLimitBytes());
        }
    }

    private void disconnect() {
        if (sql != null) {
            sql.closeQuietly();
            sql = null;
        }
    }

    /** Lets go of the database; the next checkpoint connects again. */
    void close() {
        use.lock();
        try {
            disconnect();
        } finally {
            use.unlock();
        }
    }

    /** Ends the thread after a last checkpoint. */
    public void stop() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
