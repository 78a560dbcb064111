package palyra.skills.engine.endive.internal.run;

import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** How many calls run, and how many pages their memories can come to. Thread-safe. */
public final class Budget {
    private final int mostCalls;
    private final int mostPages;
    private final ReentrantLock lock = new ReentrantLock();
    private int calls; // guarded by lock
    private int pages; // guarded by lock

    /** Makes one of which nothing is used. */
    public Budget(int mostCalls, int mostPages) {
        this.mostCalls = mostCalls;
        this.mostPages = mostPages;
    }

    /** Takes one call that may grow to some pages; RESOURCE_EXHAUSTED when it does not fit. */
    public void take(int wanted) {
        lock.lock();
        try {
            if (calls >= mostCalls) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        calls
                                + " calls run already, which is the most: try again when one has"
                                + " ended, or raise maxConcurrentCalls.");
            }
            if ((long) pages + wanted > mostPages) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The memory of this module can grow to "
                                + wanted
                                + " pages, and running calls have "
                                + pages
                                + " of "
                                + mostPages
                                + ": try again when one has ended, or raise maxPages.");
            }
            calls++;
            pages += wanted;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what {@link #take} took. */
    public void give(int taken) {
        lock.lock();
        try {
            calls--;
            pages -= taken;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the pages that running calls can come to. */
    public int pages() {
        lock.lock();
        try {
            return pages;
        } finally {
            lock.unlock();
        }
    }
}
