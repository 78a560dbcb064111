package palyra.deploy.internal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * The thread that polls the folder and changes bundles, without holding a lock. Its other methods
 * are thread-safe.
 */
final class DeployThread {
    static final String THREAD_NAME = "palyra-deploy";
    private static final long STOP_MILLIS = 20_000;
    private static final long LAST_MILLIS = 500;
    private static final Backoff BACKOFF =
            new Backoff(
                    Duration.ofMillis(DeployLoop.RETRY_MILLIS),
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(1));

    /** A round may start several bundles, each with its own timeout. */
    private static final Duration LONGEST_LOOK = Duration.ofMinutes(10);

    private final DeployLoop rounds;
    private final Semaphore wake = new Semaphore(0);
    private final SupervisedLoop loop =
            new SupervisedLoop(
                    LoopSpec.of(THREAD_NAME, "palyra.deploy")
                            .withBackoff(BACKOFF)
                            .withLongestStep(LONGEST_LOOK),
                    this::run);
    private volatile DeploySettings settings;
    private boolean begun; // the loop's thread only

    DeployThread(DeployLoop rounds, DeploySettings settings) {
        this.rounds = rounds;
        this.settings = settings;
    }

    void start() {
        loop.start();
    }

    /**
     * Stops the thread and waits for it; deployed bundles stay installed. The thread is not
     * interrupted at first, because it may be starting a bundle.
     */
    void stop() {
        loop.stop();
        rounds.stop();
        wake.release();
        try {
            if (!loop.join(STOP_MILLIS)) {
                loop.close(LAST_MILLIS);
            }
        } catch (InterruptedException e) {
            loop.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    void configure(DeploySettings changed) {
        settings = changed;
        wake.release();
    }

    DeploySettings settings() {
        return settings;
    }

    /** Marks the stored pins as outdated. */
    void pinsChanged() {
        rounds.pinsChanged();
        wake.release();
    }

    /** Returns the state of the thread. */
    LoopView loop() {
        return loop.view();
    }

    private void run(Heartbeat pulse) throws InterruptedException {
        if (!begun) {
            rounds.load();
            begun = true;
        }
        while (!pulse.isStopping()) {
            pulse.beat();
            long pause = rounds.next(settings);
            pulse.idle();
            if (wake.tryAcquire(pause, TimeUnit.MILLISECONDS)) {
                wake.drainPermits();
            }
        }
    }
}
