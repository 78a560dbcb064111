package palyra.lib.cedar.internal.engine;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;

/**
 * A thread on which native code runs: Cedar's parser needs about 11 KB of stack for each level of
 * nesting and kills the process when the stack ends. It inherits nothing from its creator, so it
 * pins no class loader.
 */
final class NativeThread implements AutoCloseable {
    private static final long STACK_BYTES = 256L << 20;
    private static final long STOP_MILLIS = 10_000;

    private final ArrayBlockingQueue<Runnable> queue;
    private final Queue<Runnable> chores = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean stopping;

    /** When the call under way began; 0 if absent. */
    private volatile long startedNanos;

    NativeThread(String name, int queueLimit) {
        queue = new ArrayBlockingQueue<>(queueLimit);
        thread =
                Thread.ofPlatform()
                        .name(name)
                        .daemon(true)
                        .inheritInheritableThreadLocals(false)
                        .stackSize(STACK_BYTES)
                        .unstarted(this::run);
        thread.setContextClassLoader(NativeThread.class.getClassLoader());
        thread.start();
    }

    /** Runs {@code work} there and returns its result; waits at most so long for both. */
    <T> T call(Callable<T> work, long deadlineMillis) {
        FutureTask<T> task = new FutureTask<>(work);
        if (stopping) {
            throw stopped();
        }
        if (!queue.offer(task)) {
            throw new CedarException(
                    Reason.BUSY,
                    "The Cedar engine was asked while "
                            + queue.size()
                            + " calls wait for it already; try again later.");
        }
        if (stopping) {
            task.cancel(false);
        }
        return result(task, deadlineMillis);
    }

    private <T> T result(FutureTask<T> task, long deadlineMillis) {
        try {
            return task.get(deadlineMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            giveUp(task);
            throw new CedarException(
                    Reason.TIMED_OUT,
                    "The Cedar engine gave no answer within "
                            + deadlineMillis
                            + " ms; "
                            + waiting()
                            + " calls wait for their turn on "
                            + thread.getName()
                            + ".");
        } catch (InterruptedException e) {
            giveUp(task);
            Thread.currentThread().interrupt();
            throw new CedarException(
                    Reason.INTERRUPTED, "The wait for the Cedar engine was interrupted.");
        } catch (CancellationException e) {
            throw stopped();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    private void giveUp(FutureTask<?> task) {
        task.cancel(false);
        queue.remove(task);
    }

    private static CedarException stopped() {
        return new CedarException(Reason.UNAVAILABLE, "The Cedar engine has stopped.");
    }

    private static CedarException failure(Throwable cause) {
        if (cause instanceof CedarException known) {
            return new CedarException(known.reason(), known.getMessage());
        }
        if (cause instanceof OutOfMemoryError) {
            return new CedarException(
                    Reason.FAILED, "The Cedar engine ran out of memory; the answer is too large.");
        }
        return new CedarException(
                Reason.FAILED,
                "The Cedar engine failed with " + cause.getClass().getSimpleName() + ".");
    }

    /** Runs {@code chore} before the next call; never waits and is never refused. */
    void later(Runnable chore) {
        chores.add(chore);
        queue.offer(() -> {});
    }

    private void run() {
        while (!stopping) {
            try {
                Runnable next = queue.take();
                startedNanos = System.nanoTime() | 1;
                doChores();
                next.run();
            } catch (InterruptedException e) {
                // Only close() interrupts; the loop looks at its flag.
            } finally {
                startedNanos = 0;
            }
        }
        doChores();
        queue.forEach(NativeThread::refuse);
    }

    private void doChores() {
        for (Runnable chore = chores.poll(); chore != null; chore = chores.poll()) {
            try {
                chore.run();
            } catch (Throwable e) { // no caller waits for it, and the thread must not end by it
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }

    private static void refuse(Runnable waiting) {
        if (waiting instanceof FutureTask<?> task) {
            task.cancel(false);
        }
    }

    int waiting() {
        return queue.size();
    }

    long busyMillis() {
        long started = startedNanos;
        return started == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    }

    /** Whether the thread has ended; false also while a native call does not return. */
    boolean ended() {
        return !thread.isAlive();
    }

    /** Ends the thread after the call under way; those that wait are refused. */
    @Override
    public void close() {
        stopping = true;
        queue.forEach(NativeThread::refuse);
        thread.interrupt();
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
