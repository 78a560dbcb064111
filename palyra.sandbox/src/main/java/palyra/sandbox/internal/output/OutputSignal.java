package palyra.sandbox.internal.output;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Wakes those that wait for something new of a command. Thread-safe. */
public final class OutputSignal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();

    /** Says that there is something new. */
    public void raise() {
        lock.lock();
        try {
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until something holds that is true only after a {@link #raise}, or the time is up.
     *
     * @throws InterruptedException when the thread was interrupted
     */
    public void await(BooleanSupplier until, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !until.getAsBoolean()) {
                left = raised.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
