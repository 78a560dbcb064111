package palyra.skills.engine.endive.internal.run;

import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Limits the number of running calls. Thread-safe. */
public final class CallSlots {
    private final int mostCalls;
    private final ReentrantLock lock = new ReentrantLock();
    private int calls; // guarded by lock

    /** Makes one of which nothing is used. */
    public CallSlots(int mostCalls) {
        this.mostCalls = mostCalls;
    }

    /** Takes one call; RESOURCE_EXHAUSTED when it does not fit. */
    public void take() {
        lock.lock();
        try {
            if (calls >= mostCalls) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        calls
                                + " calls run already, which is the most: try again when one has"
                                + " ended, or raise maxConcurrentCalls.");
            }
            calls++;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what {@link #take} took. */
    public void give() {
        lock.lock();
        try {
            calls--;
        } finally {
            lock.unlock();
        }
    }
}
