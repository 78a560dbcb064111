package palyra.policy.internal.set;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * One thread that runs tasks one after the other, and a periodic check in between. Its stack takes
 * what policies may nest.
 */
final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final long STACK_BYTES = 32L << 20;
    private static final long STOP_MILLIS = 2_000;
    private static final int MOST_WAITING = 64;
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofMinutes(1));

    /** A large set may be compiled, tried and replayed in one step. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(5);

    private final BlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Runnable poll;
    private final long tickMillis;
    private final SupervisedLoop loop;
    private Runnable first; // set before the loop begins; null once it is done
    private volatile boolean stopped;

    /**
     * @param poll called after every wake-up and every {@code tickMillis}
     */
    Worker(String name, long tickMillis, Runnable poll) {
        this.poll = poll;
        this.tickMillis = tickMillis;
        this.loop =
                new SupervisedLoop(
                        LoopSpec.of(name, "palyra.policy")
                                .withBackoff(BACKOFF)
                                .withLongestStep(LONGEST_STEP)
                                .withStackBytes(STACK_BYTES),
                        this::run);
    }

    /** Starts with this work, which is done again after an {@link Error} of it. */
    void begin(Runnable work) {
        first = work;
        loop.start();
    }

    private void run(Heartbeat pulse) throws InterruptedException {
        if (first != null && !stopped) {
            safely(first);
            first = null;
            safely(poll);
        }
        while (!stopped) {
            pulse.idle();
            Runnable next = queue.poll(tickMillis, TimeUnit.MILLISECONDS);
            pulse.beat();
            if (next != null) {
                safely(next);
            }
            if (!stopped) {
                safely(poll);
            }
        }
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return loop.view();
    }

    private static void safely(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("Work on the policies failed; the policies in force stay.", e);
        }
    }

    /** Makes it look around soon. Any thread. */
    void wake() {
        if (queue.isEmpty()) {
            queue.offer(() -> {});
        }
    }

    /** Has something done and does not wait for it. */
    void later(Runnable work) {
        if (!queue.offer(work)) {
            LOG.warn("Too much is asked of the policies at once.");
        }
    }

    /**
     * Has something done and returns its result.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED, TIMED_OUT when it is not done in time (it may be
     *     later), CANCELLED, POLICY_UNAVAILABLE when the worker has stopped, or what the work
     *     throws
     */
    <T> T call(Callable<T> work, long millis) {
        FutureTask<T> task = new FutureTask<>(work);
        if (stopped) {
            throw gone();
        }
        if (!queue.offer(task)) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Too much is asked of the policies at once; try again in a moment.");
        }
        try {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            while (true) {
                try {
                    return task.get(100, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    if (!loop.isAlive()) {
                        throw gone();
                    }
                    if (System.nanoTime() - deadline > 0) {
                        throw new PalyraException(
                                ErrorCode.TIMED_OUT,
                                "The policies are still being worked on; look at policy status.",
                                e);
                    }
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PalyraException refused) {
                throw refused;
            }
            throw new PalyraException(
                    ErrorCode.INTERNAL, "Work on the policies failed; run palyra logs.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED, "Waiting for the policies was interrupted.", e);
        }
    }

    private static PalyraException gone() {
        return new PalyraException(
                ErrorCode.POLICY_UNAVAILABLE,
                "The policy engine is being replaced or has stopped; try again in a moment.");
    }

    /** Ends the thread, at most after two seconds. */
    @Override
    public void close() {
        stopped = true;
        loop.close(STOP_MILLIS);
    }
}
