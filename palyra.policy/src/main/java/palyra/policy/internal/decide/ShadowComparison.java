package palyra.policy.internal.decide;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.set.Snapshot;

/**
 * Compares a sample of decisions with the native engine after they were given. Never makes a caller
 * wait: what does not fit into its queue is left out and counted.
 */
final class ShadowComparison implements AutoCloseable {
    private static final int MILLE = 1_000;
    private static final long CLOSE_MILLIS = 5_000;

    private final NativeEngineCheck check;
    private final Counters counters;
    private final Consumer<EngineDivergence> found;
    private final int perMille;
    private final ThreadPoolExecutor thread;

    ShadowComparison(
            NativeEngineCheck check,
            Counters counters,
            EngineSettings settings,
            Consumer<EngineDivergence> found) {
        this.check = check;
        this.counters = counters;
        this.found = found;
        this.perMille = settings.shadowPerMille();
        this.thread =
                new ThreadPoolExecutor(
                        1,
                        1,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(settings.shadowQueue()),
                        work -> {
                            Thread made = new Thread(work, "palyra-policy-shadow");
                            made.setDaemon(true);
                            return made;
                        });
        thread.allowCoreThreadTimeOut(true);
    }

    /** Takes a policy request into the sample, or does not. */
    void offer(Snapshot snapshot, PolicyRequest request) {
        if (perMille == 0 || ThreadLocalRandom.current().nextInt(MILLE) >= perMille) {
            return;
        }
        try {
            thread.execute(() -> compare(snapshot, request));
        } catch (RejectedExecutionException e) {
            counters.shadowSkipped.increment();
        }
    }

    private void compare(Snapshot snapshot, PolicyRequest request) {
        try {
            Optional<CedarDecision> decided = check.ask(snapshot, request);
            if (decided.isEmpty()) {
                counters.shadowSkipped.increment();
                return;
            }
            counters.shadowed.increment();
            NativeDecisions.difference(snapshot, request, decided.get()).ifPresent(found);
        } catch (CedarException e) {
            counters.shadowSkipped.increment();
        }
    }

    /** Ends the thread; comparisons that wait are dropped. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
