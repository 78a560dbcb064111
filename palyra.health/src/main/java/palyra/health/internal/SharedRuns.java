package palyra.health.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Runs a task one run at a time, each for all who asked before it began. Whoever asks gets a run
 * that began afterwards, and no result outlives its run. The task runs on the thread of one of the
 * askers, so this class has no threads. Thread-safe.
 *
 * @param <T> what a run gives
 */
final class SharedRuns<T> {
    private final long timeoutMillis;
    private final Supplier<T> task;
    private final Supplier<T> late;
    private final ReentrantLock turn = new ReentrantLock(); // held while the task runs
    private CompletableFuture<T> waiting; // the run that has not begun; guarded by this

    /**
     * Creates it.
     *
     * @param timeoutMillis how long an asker waits for a run under way to end, and again for its
     *     own run to give a result
     * @param task ends within {@code timeoutMillis} by itself, as a rule
     * @param late the answer for an asker whose time is over
     */
    SharedRuns(long timeoutMillis, Supplier<T> task, Supplier<T> late) {
        this.timeoutMillis = timeoutMillis;
        this.task = task;
        this.late = late;
    }

    /**
     * Returns the result of a run that began after this call did, or the late answer. What the task
     * throws reaches everybody who asked for that run.
     */
    T next() {
        CompletableFuture<T> run;
        boolean first;
        synchronized (this) {
            first = waiting == null;
            if (first) {
                waiting = new CompletableFuture<>();
            }
            run = waiting;
        }
        if (first) {
            begin(run);
        }
        return result(run);
    }

    private void begin(CompletableFuture<T> run) {
        boolean mine = false;
        try {
            mine = turn.tryLock(timeoutMillis, TimeUnit.MILLISECONDS);
            closed(run);
            run.complete(mine ? task.get() : late.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed(run);
            run.complete(late.get());
        } catch (RuntimeException | Error e) {
            run.completeExceptionally(e);
        } finally {
            if (mine) {
                turn.unlock();
            }
        }
    }

    /** Whoever asks from here on belongs to the next run. */
    private synchronized void closed(CompletableFuture<T> run) {
        if (waiting == run) {
            waiting = null;
        }
    }

    private T result(CompletableFuture<T> run) {
        try {
            return run.get(2 * timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return late.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return late.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new CompletionException(e.getCause());
        }
    }
}
