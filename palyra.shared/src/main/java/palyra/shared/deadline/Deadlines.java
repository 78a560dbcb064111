package palyra.shared.deadline;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Deadlines of which nearly none comes to pass. To schedule each one by itself wakes the executor's
 * thread every time, because it has become the next one; here that thread sleeps until the earliest
 * deadline that it knows of, and looks at that moment which ones are still there. For some hundred
 * at a time, as looking visits all. Thread-safe.
 */
public final class Deadlines {
    private final ScheduledExecutorService thread;
    private final Set<Deadline> open = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean looking; // guarded by lock; whether somebody will look at nextNanos
    private long nextNanos; // guarded by lock

    /**
     * Creates it.
     *
     * @param thread what runs whatever is over; not shut down by this
     */
    public Deadlines(ScheduledExecutorService thread) {
        this.thread = thread;
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
     * Runs something after a time, unless it is cancelled before. When the executor was shut down
     * it is never run.
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
        try {
            thread.schedule(this::look, nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            open.clear(); // whoever shut it down ends what there is
        }
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
                run(each.over);
            }
        }
        if (earliest != null) {
            lookAt(earliest.endNanos);
        }
    }

    /** By itself: one that fails keeps no other from its time. */
    private void run(Runnable over) {
        try {
            thread.execute(over);
        } catch (RejectedExecutionException e) {
            open.clear(); // whoever shut it down ends what there is
        }
    }
}
