package palyra.skills.engine.endive.internal.run;

import java.util.concurrent.Semaphore;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Limits the number of running calls. Thread-safe. */
public final class CallSlots {
    private final int limit;
    private final Semaphore free;

    /** Creates free slots. */
    public CallSlots(int limit) {
        this.limit = limit;
        this.free = new Semaphore(limit);
    }

    /** Takes one slot; RESOURCE_EXHAUSTED when none is free. */
    public void acquire() {
        if (!free.tryAcquire()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    limit
                            + " calls run already, which is the limit: try again when one has"
                            + " ended, or raise maxConcurrentCalls.");
        }
    }

    /** Frees a slot that {@link #acquire} took. */
    public void release() {
        free.release();
    }
}
