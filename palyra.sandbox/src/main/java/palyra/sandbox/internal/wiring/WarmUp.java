package palyra.sandbox.internal.wiring;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.sandbox.internal.guard.GuardSettings;
import palyra.sandbox.internal.guard.HostPrograms;
import palyra.sandbox.internal.run.Threads;

/**
 * Lists the host's programs once after the start: it takes a second or two that otherwise the first
 * command waits for. A command that comes meanwhile waits for the same listing. One pass, then its
 * thread ends.
 */
final class WarmUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final HostPrograms programs;
    private final Supplier<GuardSettings> settings;
    private final ReentrantLock lock = new ReentrantLock();
    private Thread thread; // guarded by lock; null before it began
    private boolean closed; // guarded by lock

    WarmUp(HostPrograms programs, Supplier<GuardSettings> settings) {
        this.programs = programs;
        this.settings = settings;
    }

    /** Begins, once. */
    void begin() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = Threads.start("warm-up", this::run);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            programs.warmUp(settings.get());
        } catch (RuntimeException e) {
            LOG.warn("The programs of this host could not be listed: {}", e.toString());
        }
    }

    /** Waits for its thread. */
    @Override
    public void close() {
        Thread begun;
        lock.lock();
        try {
            closed = true;
            begun = thread;
        } finally {
            lock.unlock();
        }
        try {
            if (begun != null) {
                begun.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
