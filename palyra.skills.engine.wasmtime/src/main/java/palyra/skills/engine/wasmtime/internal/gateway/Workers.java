package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Manages the one worker: starts it with the first call, again when it has died, and ends it when
 * it is unused for a while. Starts of workers that die early are at least a second apart, doubled
 * up to 30 seconds. Thread-safe.
 */
final class Workers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(30);
    private static final long LIBRARY_BYTES = 64L << 20;

    private final WorkerFiles files;
    private final WorkerStarter start;
    private final WasmtimeSettings settings;
    private final AtomicLong deaths = new AtomicLong();
    private final ReentrantLock starting = new ReentrantLock(); // one start at a time
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Worker worker; // guarded by lock
    private long pause; // guarded by lock: nanoseconds between the last start and the next
    private int users; // guarded by lock
    private long idleSince; // guarded by lock
    private boolean closed; // guarded by lock
    private long generation; // guarded by lock: rises when what was started is to go

    Workers(WorkerFiles files, WorkerStarter start, WasmtimeSettings settings) {
        this.files = files;
        this.start = start;
        this.settings = settings;
    }

    /** Returns a living worker for one call, which gives it back by {@link #release}. */
    Worker acquire() throws InterruptedException {
        starting.lockInterruptibly();
        try {
            Worker living = living();
            if (living == null) {
                rest();
                living = fresh();
            }
            lock.lock();
            try {
                users++;
            } finally {
                lock.unlock();
            }
            return living;
        } finally {
            starting.unlock();
        }
    }

    void release() {
        lock.lock();
        try {
            users--;
            idleSince = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    private Worker living() {
        lock.lock();
        try {
            if (closed) {
                throw stopping();
            }
            if (worker != null && !worker.lives()) {
                bury();
            }
            return worker;
        } finally {
            lock.unlock();
        }
    }

    private static PalyraException stopping() {
        return new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "The engine wasmtime is being stopped: try again in a moment.");
    }

    /** Forgets a dead worker; called with the lock. */
    private void bury() {
        LOG.warn("The wasmtime worker is gone: {}.", worker.gone());
        deaths.incrementAndGet();
        long next = worker.proven() ? FIRST_PAUSE : Math.max(FIRST_PAUSE, pause * 2);
        pause = Math.max(0, Math.min(LONGEST_PAUSE, next) - worker.ageNanos());
        worker = null;
    }

    /** Waits until a worker may be started again. */
    private void rest() throws InterruptedException {
        lock.lock();
        try {
            long left = pause;
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            if (closed) {
                throw stopping();
            }
        } finally {
            lock.unlock();
        }
    }

    private Worker fresh() {
        String problem = start.problem();
        if (!problem.isEmpty()) {
            throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, problem);
        }
        long since = generation();
        Worker made = null;
        try {
            made =
                    new Worker(
                            start.start(
                                    files.install(),
                                    List.of("" + settings.calls(), "" + LIBRARY_BYTES)));
            made.greeting();
            keep(made, since);
            return made;
        } catch (RuntimeException e) {
            if (made != null) {
                made.close();
            }
            lock.lock();
            try {
                pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, pause * 2));
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    private long generation() {
        lock.lock();
        try {
            return generation;
        } finally {
            lock.unlock();
        }
    }

    private void keep(Worker made, long since) {
        lock.lock();
        try {
            if (closed || since != generation) {
                throw stopping();
            }
            worker = made;
            idleSince = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a worker that is unused for a while. */
    void tidy() {
        Worker idle = null;
        lock.lock();
        try {
            long unused = System.nanoTime() - idleSince;
            if (worker != null
                    && users == 0
                    && unused > TimeUnit.MILLISECONDS.toNanos(settings.idleMillis())) {
                idle = worker;
                worker = null;
                pause = 0;
            }
        } finally {
            lock.unlock();
        }
        if (idle != null) {
            idle.close();
        }
    }

    /** Returns the worker's confinement; empty without a worker. */
    String isolation() {
        lock.lock();
        try {
            return worker == null ? "" : worker.isolation();
        } finally {
            lock.unlock();
        }
    }

    boolean running() {
        lock.lock();
        try {
            return worker != null && worker.lives();
        } finally {
            lock.unlock();
        }
    }

    long deaths() {
        return deaths.get();
    }

    /** Ends the worker, and every wait for one. */
    @Override
    public void close() {
        drop(true);
    }

    /** Ends the worker; the next call starts another. */
    void restart() {
        drop(false);
    }

    private void drop(boolean permanently) {
        Worker last;
        lock.lock();
        try {
            closed |= permanently;
            generation++;
            last = worker;
            worker = null;
            pause = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
    }
}
