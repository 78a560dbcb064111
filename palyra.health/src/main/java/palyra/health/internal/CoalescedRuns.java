package palyra.health.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Coalesces concurrent requests for one task: runs do not overlap, and one run serves all callers
 * that asked before it began. A caller gets the result of a run that began after its request;
 * results are not cached. The task runs on the thread of one caller. Thread-safe.
 *
 * @param <T> result of a run
 */
final class CoalescedRuns<T> {
    private final long timeoutMillis;
    private final Supplier<T> task;
    private final Supplier<T> late;
    private final ReentrantLock turn = new ReentrantLock(); // held while the task runs
    private CompletableFuture<T> waiting; // the run that has not begun; guarded by this

    /**
     * Creates it.
     *
     * @param timeoutMillis how long a caller waits for the current run to end, and again for the
     *     result of its own run
     * @param task should end within {@code timeoutMillis}
     * @param late supplies the result for a caller whose time is over
     */
    CoalescedRuns(long timeoutMillis, Supplier<T> task, Supplier<T> late) {
        this.timeoutMillis = timeoutMillis;
        this.task = task;
        this.late = late;
    }

    /**
     * Returns the result of a run that began after this call, or the late result. An exception of
     * the task is thrown to every caller of that run.
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
        boolean acquired = false;
        try {
            acquired = turn.tryLock(timeoutMillis, TimeUnit.MILLISECONDS);
            close(run);
            run.complete(acquired ? task.get() : late.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close(run);
            run.complete(late.get());
        } catch (RuntimeException | Error e) {
            run.completeExceptionally(e);
        } finally {
            if (acquired) {
                turn.unlock();
            }
        }
    }

    /** Later callers get the next run. */
    private synchronized void close(CompletableFuture<T> run) {
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
