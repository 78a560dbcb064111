package palyra.transport.openai.internal.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One after the other for what has the same name, by a bounded number of locks: now and then two
 * names share one. Thread-safe.
 */
final class Lanes {
    private static final int LOCKS = 256;
    private static final long WAIT_MILLIS = 5_000;

    private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

    Lanes() {
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** Does {@code work} when it is its turn; refuses with {@code session_busy} after a while. */
    <R> R inTurn(String name, Supplier<R> work) {
        ReentrantLock lock = locks[Math.floorMod(name.hashCode(), LOCKS)];
        if (!taken(lock)) {
            throw Occupancy.busy(
                    "Another message of this session has been on its way for "
                            + TimeUnit.MILLISECONDS.toSeconds(WAIT_MILLIS)
                            + " seconds; send this one again after a while.");
        }
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private static boolean taken(ReentrantLock lock) {
        try {
            return lock.tryLock(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
