package palyra.shared.loop;

import java.time.Duration;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.core.ops.LoopView;

/**
 * Does things when their time has come, one after the other on one supervised thread. One that
 * throws, an {@link Error} too, keeps no other from its time for more than a quarter of a second,
 * and is seen in the view. Thread-safe.
 */
public final class SupervisedTimer implements AutoCloseable {
    private static final Backoff SHORT =
            new Backoff(Duration.ofMillis(1), Duration.ofMillis(250), Duration.ofMinutes(1));
    private static final long CLOSE_MILLIS = 2_000;

    private final DelayQueue<Task> tasks = new DelayQueue<>();
    private final AtomicLong numbers = new AtomicLong();
    private final FutureTask<Void> last = new FutureTask<>(this::end, null);
    private final SupervisedLoop loop;
    private volatile boolean closed;

    /** Makes one whose thread has begun; the backoff of {@code spec} is replaced by a short one. */
    public SupervisedTimer(LoopSpec spec) {
        loop = new SupervisedLoop(spec.withBackoff(SHORT), this::work).start();
    }

    /** Something that is to be done. */
    public final class Task implements Delayed {
        private final long atNanos;
        private final long number = numbers.incrementAndGet();
        private final Runnable work;

        private Task(long atNanos, Runnable work) {
            this.atNanos = atNanos;
            this.work = work;
        }

        /** It is not done any more, unless it has begun. */
        public void cancel() {
            tasks.remove(this);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Task that = (Task) other;
            int byTime = Long.signum(atNanos - that.atNanos);
            return byTime == 0 ? Long.compare(number, that.number) : byTime;
        }
    }

    /** Does something soon, after what was asked for before. After the end it is never done. */
    public Task soon(Runnable work) {
        return after(0, TimeUnit.NANOSECONDS, work);
    }

    /** Does something once, after a time. After the end it is never done. */
    public Task after(long delay, TimeUnit unit, Runnable work) {
        Task task = new Task(System.nanoTime() + unit.toNanos(delay), work);
        tasks.add(task);
        if (closed) {
            tasks.remove(task);
        }
        return task;
    }

    /** Runs an action periodically, with a wait before each run, even if it throws. */
    public void every(long pause, TimeUnit unit, Runnable work) {
        after(
                pause,
                unit,
                () -> {
                    try {
                        work.run();
                    } finally {
                        every(pause, unit, work);
                    }
                });
    }

    @SuppressWarnings("Interruption") // what a task left behind; the end is seen by the flag
    private void work(Heartbeat pulse) throws InterruptedException {
        while (!pulse.isStopping()) {
            pulse.idle();
            Task next = tasks.take();
            pulse.beat();
            next.work.run();
            Thread.interrupted();
        }
    }

    /** Returns how the thread is. */
    public LoopView view() {
        return loop.view();
    }

    /** Returns how many things wait for their time. */
    public int waiting() {
        return tasks.size();
    }

    /** Returns whether it has ended, or was asked to. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Runs the actions that are due and ends; interrupts an action that takes longer. Returns
     * whether the thread has ended.
     */
    public boolean finish(long millis) {
        soon(last);
        try {
            if (!closed && !loop.isCurrentThread()) {
                last.get(millis, TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            // a running action is interrupted below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return close(CLOSE_MILLIS);
    }

    /** Ends at once; interrupts a running action and waits for it, at most two seconds. */
    @Override
    public void close() {
        close(CLOSE_MILLIS);
    }

    /** As {@link #close()} with another wait; returns whether the thread has ended. */
    public boolean close(long millis) {
        end();
        return loop.close(millis);
    }

    /** Nothing is done from now on: neither what waits nor what comes. */
    private void end() {
        closed = true;
        tasks.clear();
    }
}
