package palyra.shared.deadline;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.shared.loop.SupervisedTimer;

/**
 * Deadlines of which nearly none comes to pass. To schedule each one by itself wakes the timer's
 * thread every time, because it has become the next one; here that thread sleeps until the earliest
 * deadline that it knows of, and looks at that moment which ones are still there. For some hundred
 * at a time, as looking visits all. Thread-safe.
 */
public final class Deadlines {
    private final SupervisedTimer timer;
    private final Set<Deadline> open = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean looking; // guarded by lock; whether the timer will run at nextNanos
    private long nextNanos; // guarded by lock

    /**
     * Creates it.
     *
     * @param timer runs the actions of passed deadlines; not closed by this
     */
    public Deadlines(SupervisedTimer timer) {
        this.timer = timer;
    }

    /** One of them. */
    public final class Deadline {
        private final long endNanos;
        private final Runnable over;

        private Deadline(long endNanos, Runnable over) {
            this.endNanos = endNanos;
            this.over = over;
        }

        /** It does not come to pass any more, unless it just does. */
        public void cancel() {
            open.remove(this);
        }
    }

    /**
     * Runs something after a time, unless it is cancelled before. When the timer was closed it is
     * never run.
     */
    public Deadline after(long millis, Runnable over) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Deadline deadline = new Deadline(end, over);
        open.add(deadline);
        lookAt(end);
        return deadline;
    }

    private void lookAt(long nanos) {
        lock.lock();
        try {
            if (looking && nextNanos - nanos <= 0) {
                return;
            }
            looking = true;
            nextNanos = nanos;
        } finally {
            lock.unlock();
        }
        timer.after(nanos - System.nanoTime(), TimeUnit.NANOSECONDS, this::look);
    }

    private void look() {
        lock.lock();
        try {
            looking = false;
        } finally {
            lock.unlock();
        }
        Deadline earliest = null;
        long now = System.nanoTime();
        for (Deadline each : open) {
            if (each.endNanos - now > 0) {
                boolean earlier = earliest == null || each.endNanos - earliest.endNanos < 0;
                earliest = earlier ? each : earliest;
            } else if (open.remove(each)) {
                timer.soon(each.over); // by itself: one that fails keeps no other from its time
            }
        }
        if (earliest != null) {
            lookAt(earliest.endNanos);
        }
    }
}
