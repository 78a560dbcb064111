package palyra.tools.internal.executor;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells sinks. A call tells its own on its own thread; what cannot be told there (a call that
 * hangs, an outcome asked for again) goes through the few threads of this class. Thread-safe.
 */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    private static final int THREADS = 4;
    private static final int QUEUE = 1_024;

    private final AtomicInteger number = new AtomicInteger();
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    10,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(QUEUE),
                    this::thread);

    Deliveries() {
        pool.allowCoreThreadTimeOut(true);
    }

    private Thread thread(Runnable work) {
        String name = "palyra-tools-delivery-" + number.incrementAndGet();
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .unstarted(work);
    }

    /** Tells a sink on the calling thread; a sink that throws is the loser, not the call. */
    static void tell(Call.Delivery delivery) {
        try {
            delivery.sink().accept(delivery.outcome());
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("Nobody took the outcome of call {}", delivery.outcome().callId(), e);
        }
    }

    /** Tells a sink soon; false when too many wait. */
    boolean tellSoon(Call.Delivery delivery) {
        try {
            pool.execute(() -> tell(delivery));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Tells what waits and ends the threads; interrupts them after {@code millis}. */
    void close(long millis) {
        pool.shutdown();
        try {
            if (!pool.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
                pool.shutdownNow();
                pool.awaitTermination(millis, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
