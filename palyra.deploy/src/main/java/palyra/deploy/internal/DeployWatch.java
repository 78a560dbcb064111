package palyra.deploy.internal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.Pulse;
import palyra.shared.loop.SupervisedLoop;

/**
 * The thread that looks at the folder and has done what it asks for. All bundles are changed on it,
 * outside every lock. Settings and hints come from any thread.
 */
final class DeployWatch {
    static final String THREAD_NAME = "palyra-deploy";
    private static final long STOP_MILLIS = 20_000;
    private static final long LAST_MILLIS = 500;
    private static final Backoff BACKOFF =
            new Backoff(
                    Duration.ofMillis(DeployLoop.RETRY_MILLIS),
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(1));

    /** A look may start several bundles, each of which has its own time. */
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

    DeployWatch(DeployLoop rounds, DeploySettings settings) {
        this.rounds = rounds;
        this.settings = settings;
    }

    void begin() {
        loop.start();
    }

    /**
     * Stops and waits. What is in stays in. The thread is not interrupted at first: it may be in
     * the middle of starting somebody's bundle.
     */
    void end() {
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

    /** Tells that stored pins may have changed, or can be read again. */
    void pinsChanged() {
        rounds.pinsChanged();
        wake.release();
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return loop.view();
    }

    private void run(Pulse pulse) throws InterruptedException {
        if (!begun) {
            rounds.begin();
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
