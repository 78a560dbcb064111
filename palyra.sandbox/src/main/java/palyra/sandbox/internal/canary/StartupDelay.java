package palyra.sandbox.internal.canary;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps work out of a start that would be later beside it: until a second after the gateway is up,
 * when its ports are opened too; at most 10 seconds; not at all once a caller waits for the work.
 * Thread-safe.
 */
final class StartupDelay {
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long until = System.nanoTime() + MOST_NANOS; // guarded by lock

    /** The gateway is up. */
    void soon() {
        sooner(System.nanoTime() + REST_NANOS);
    }

    /** Ends the delay, because a caller waits for the work or startup is over. */
    void end() {
        sooner(System.nanoTime());
    }

    private void sooner(long nanos) {
        lock.lock();
        try {
            if (nanos - until < 0) {
                until = nanos;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the work may begin. */
    void await() throws InterruptedException {
        lock.lock();
        try {
            for (long left = left(); left > 0; left = left()) {
                changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private long left() {
        return until - System.nanoTime();
    }
}
