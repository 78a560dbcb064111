package palyra.shared.confine;

import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import palyra.api.core.sandbox.BackendStatus;

/**
 * Caches a backend's findings about the host: probes on a thread of its own, and again when asked.
 * Thread-safe.
 */
public final class Look implements AutoCloseable {
    private static final long STOP_MILLIS = 5_000;

    private final String name;
    private final Supplier<BackendStatus> examine;
    private final ReentrantLock looking = new ReentrantLock();
    private final ReentrantLock threads = new ReentrantLock();
    private Thread thread; // guarded by threads; null before the first look
    private volatile BackendStatus status = BackendStatus.probing();
    private volatile boolean closed;

    /**
     * Prepares a look.
     *
     * @param name of its threads
     * @param examine looks at the host; may take seconds
     */
    public Look(String name, Supplier<BackendStatus> examine) {
        this.name = name;
        this.examine = examine;
    }

    /** Forgets what was found, because it is about something else; a caller waits for the next. */
    public void forget() {
        status = BackendStatus.probing();
    }

    /** Looks soon, on a thread of its own; until then the last status stays. */
    public void soon() {
        threads.lock();
        try {
            Thread before = thread;
            if (!closed) {
                thread = Thread.ofPlatform().daemon().name(name).start(() -> after(before));
            }
        } finally {
            threads.unlock();
        }
    }

    private void after(Thread before) {
        join(before);
        again();
    }

    /** Returns what was found last. */
    public BackendStatus status() {
        return status;
    }

    /** Looks now and returns what was found; one look at a time. */
    public BackendStatus again() {
        looking.lock();
        try {
            if (!closed) {
                status = safely();
            }
            return status;
        } finally {
            looking.unlock();
        }
    }

    private BackendStatus safely() {
        try {
            return examine.get();
        } catch (RuntimeException | LinkageError e) {
            return BackendStatus.refusing(
                    "Looking at this host failed: " + e + ".",
                    "Correct that, then have the sandboxes look again.",
                    Map.of());
        }
    }

    private static void join(Thread thread) {
        if (thread != null) {
            try {
                thread.join(STOP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the looks and waits for them, at most five seconds. */
    @Override
    public void close() {
        Thread last;
        threads.lock();
        try {
            closed = true;
            last = thread;
        } finally {
            threads.unlock();
        }
        if (last != null) {
            last.interrupt();
            join(last);
        }
    }
}
