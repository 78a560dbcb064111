package palyra.tools.internal.executor;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers outcomes to sinks. A call delivers its own outcome on its own thread; outcomes of
 * hanging calls and repeated deliveries use the threads of this class. Thread-safe.
 */
final class OutcomeDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeDelivery.class);
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

    OutcomeDelivery() {
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

    /**
     * Delivers on the calling thread; a sink that throws loses the outcome and does not affect the
     * call.
     */
    static void deliver(Call.Delivery delivery) {
        try {
            delivery.sink().accept(delivery.outcome());
        } catch (RuntimeException | LinkageError e) {
            LOG.warn(
                    "The sink of call {} failed to take its outcome",
                    delivery.outcome().callId(),
                    e);
        }
    }

    /** Queues a delivery; returns false when the queue is full. */
    boolean deliverLater(Call.Delivery delivery) {
        try {
            pool.execute(() -> deliver(delivery));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Completes queued deliveries and ends the threads; interrupts them after {@code millis}. */
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
