package palyra.journal.internal.read;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.SqliteJournal;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DamagedRows;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.write.WriteQueue;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * A few platform threads, each with a read-only connection. Callers of any kind, virtual threads
 * too, hand their read over and wait: SQLite never runs on a virtual thread. A read whose caller
 * stopped waiting is interrupted, so that it costs no more and holds no transaction open.
 * Thread-safe.
 */
public final class ReadPool {
    private static final long IDLE_MILLIS = 500;

    /**
     * What a pool is for. Each has threads and a queue of its own, so that none starves another.
     */
    public enum Use {
        /** Look-ups that follow an index: what the engine needs. */
        KEYS("palyra-journal-read-", 10_000),
        /** Searches, lists without an index, verification. */
        SCANS("palyra-journal-scan-", 5_000);

        private final String threads;
        private final long waitMillis;

        Use(String threads, long waitMillis) {
            this.threads = threads;
            this.waitMillis = waitMillis;
        }
    }

    private final String threadName;
    private final long waitMillis;

    private final ConnectionSource connections;
    private final Health health;
    private final Meters meters;
    private final DamagedRows damaged;
    private final int busyMillis;
    private final BlockingQueue<Job<?>> queue;
    private final Map<Integer, SupervisedLoop> threads = new HashMap<>(); // guarded by itself
    private final AtomicInteger generation = new AtomicInteger();
    private volatile int wanted;
    private volatile boolean closed;

    public ReadPool(
            Use use,
            JournalSettings settings,
            ConnectionSource connections,
            Health health,
            Meters meters,
            DamagedRows damaged) {
        this(use.threads, use.waitMillis, settings, connections, health, meters, damaged);
    }

    /** As above, with another bound of the wait. */
    public ReadPool(
            String threadName,
            long waitMillis,
            JournalSettings settings,
            ConnectionSource connections,
            Health health,
            Meters meters,
            DamagedRows damaged) {
        this.threadName = threadName;
        this.waitMillis = waitMillis;
        this.connections = connections;
        this.health = health;
        this.meters = meters;
        this.damaged = damaged;
        this.busyMillis = settings.medium().busyMillis();
        this.queue = new ArrayBlockingQueue<>(settings.reading().queue());
    }

    /** A read. Its result keeps nothing of the connection. */
    @FunctionalInterface
    public interface Read<T> {
        T apply(Tables tables) throws SQLException;
    }

    /** A read that waits for a thread. */
    private static final class Job<T> {
        private final Read<T> read;
        private final boolean evenIfStopped;
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private Sql running; // guarded by this; null unless a thread is at it

        Job(Read<T> read, boolean evenIfStopped) {
            this.read = read;
            this.evenIfStopped = evenIfStopped;
        }

        void run(Tables tables) throws SQLException {
            if (!begins(tables.sql())) {
                return;
            }
            try {
                future.complete(read.apply(tables));
            } finally {
                ends();
            }
        }

        private synchronized boolean begins(Sql sql) {
            if (future.isDone()) {
                return false;
            }
            sql.goOn();
            running = sql;
            return true;
        }

        private synchronized void ends() {
            running = null;
        }

        /** The caller does not wait any more: what runs for it stops, and nothing after it does. */
        synchronized void giveUp() {
            future.cancel(false);
            if (running != null) {
                running.interrupt();
            }
        }
    }

    /** Begins with, or changes to, this many threads. */
    public void threads(int count) {
        synchronized (threads) {
            wanted = count;
            threads.values().removeIf(loop -> !loop.isAlive());
            for (int i = 0; i < count && !closed; i++) {
                threads.computeIfAbsent(i, this::start);
            }
        }
    }

    private SupervisedLoop start(int number) {
        LoopSpec spec = LoopSpec.of(threadName + number, SqliteJournal.OWNER);
        return new SupervisedLoop(spec, pulse -> work(number, pulse)).start();
    }

    /** Returns the threads that read, and how they are. */
    public List<LoopView> loops() {
        synchronized (threads) {
            return threads.values().stream().map(SupervisedLoop::view).toList();
        }
    }

    /** Reads, once the store was opened and while it is not stopped. */
    public <T> T read(Read<T> read) {
        return run(new Job<>(read, false));
    }

    /** Reads even while the store is stopped, to find damage. */
    public <T> T inspect(Read<T> read) {
        return run(new Job<>(read, true));
    }

    private <T> T run(Job<T> job) {
        health.awaitFirstTry(waitMillis);
        if (closed) {
            throw WriteQueue.closing();
        }
        if (!queue.offer(job)) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Too many reads of the journal wait already; try again in a moment.");
        }
        return await(job);
    }

    private <T> T await(Job<T> job) {
        try {
            return job.future.get(waitMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            job.giveUp();
            throw new PalyraException(
                    ErrorCode.TIMED_OUT,
                    "A read of the journal was not served within "
                            + waitMillis
                            + " ms and was stopped; try again, or ask for less at once.");
        } catch (InterruptedException e) {
            job.giveUp();
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.TIMED_OUT, "The caller of a read was interrupted; try again.", e);
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        }
    }

    private static PalyraException rethrown(Throwable cause) {
        if (cause instanceof PalyraException known) {
            return new PalyraException(known.code(), known.getMessage(), known);
        }
        return SqliteFailure.DEFECT.exception(cause);
    }

    /** One thread's life. */
    private void work(int number, Heartbeat pulse) throws InterruptedException {
        Reader reader = new Reader();
        try {
            while (!closed && number < wanted) {
                Job<?> job = queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
                pulse.beat();
                if (job != null && !job.future.isDone()) {
                    serve(job, reader);
                }
            }
        } finally {
            reader.drop();
        }
    }

    private void serve(Job<?> job, Reader reader) {
        meters.reads.increment();
        try {
            if (!job.evenIfStopped) {
                health.requireReadable();
            }
            reader.refresh();
            job.run(reader.tables());
        } catch (SQLException e) {
            if (job.future.isDone()) {
                return; // interrupted, since its caller gave up
            }
            SqliteFailure failure = health.meaning(e);
            reader.drop(); // the next read begins with a new connection
            if (failure == SqliteFailure.CORRUPT || failure == SqliteFailure.IO) {
                health.failed(failure);
            }
            job.future.completeExceptionally(health.readRefusal(failure, e));
        } catch (PalyraException e) {
            job.future.completeExceptionally(asStored(e));
        } catch (RuntimeException e) {
            job.future.completeExceptionally(unreadable(e));
        } catch (Error e) {
            reader.drop();
            job.future.completeExceptionally(e);
        }
    }

    /** Arguments were checked before: what a row's own checks refuse is a damaged row. */
    private static PalyraException asStored(PalyraException e) {
        return e.code() == ErrorCode.INVALID_ARGUMENT ? unreadable(e) : e;
    }

    private static PalyraException unreadable(RuntimeException e) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "A row of the journal was changed after it was written; run palyra tape verify.",
                e);
    }

    /** Makes every thread reopen its connection before its next read. */
    public void reconnect() {
        generation.incrementAndGet();
    }

    /** Returns how many reads wait. */
    public int depth() {
        return queue.size();
    }

    /** Ends the threads; reads that wait are refused. */
    public void close(long millis) throws InterruptedException {
        closed = true;
        List<SupervisedLoop> running;
        synchronized (threads) {
            running = List.copyOf(threads.values());
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        running.forEach(SupervisedLoop::interrupt);
        for (SupervisedLoop loop : running) {
            loop.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        for (Job<?> job = queue.poll(); job != null; job = queue.poll()) {
            job.future.completeExceptionally(WriteQueue.closing());
        }
    }

    /** A thread's connection. */
    private final class Reader {
        private Sql sql;
        private Tables tables;
        private int opened;

        Tables tables() throws SQLException {
            if (tables == null) {
                opened = generation.get();
                sql = new Sql(connections.open(ConnectionSource.Use.READ), damaged);
                sql.execute("PRAGMA busy_timeout = " + busyMillis);
                sql.makeInterruptible();
                sql.execute("PRAGMA query_only = ON");
                sql.execute("PRAGMA mmap_size = 0");
                sql.execute("PRAGMA cache_size = -8192");
                sql.execute("PRAGMA trusted_schema = OFF");
                tables = new Tables(sql);
            }
            return tables;
        }

        void refresh() {
            if (tables != null && opened != generation.get()) {
                drop();
            }
        }

        void drop() {
            if (sql != null) {
                sql.closeQuietly();
            }
            sql = null;
            tables = null;
        }
    }
}
