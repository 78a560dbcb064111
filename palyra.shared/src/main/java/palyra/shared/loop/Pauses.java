package palyra.shared.loop;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The pauses of a loop, which other threads end. Thread-safe. */
public final class Pauses {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken; // guarded by lock
    private volatile boolean stopped; // set under lock

    /** Waits so long, or until it is woken or stopped; returns false once it is stopped. */
    public boolean pause(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!stopped && !woken && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the pause under way, or the next. */
    public void wake() {
        end(false);
    }

    /** Ends all pauses for good. */
    public void stop() {
        end(true);
    }

    private void end(boolean forGood) {
        lock.lock();
        try {
            woken = true;
            stopped |= forGood;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it is stopped. */
    public boolean stopped() {
        return stopped;
    }
}
