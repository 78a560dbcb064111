package palyra.deploy.internal;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that looks at the folder and has done what it asks for. All bundles are changed on it,
 * outside every lock. Settings and hints come from any thread.
 */
final class DeployWatch {
    static final String THREAD_NAME = "palyra-deploy";
    private static final Logger LOG = LoggerFactory.getLogger(DeployWatch.class);
    private static final long STOP_MILLIS = 20_000;
    private static final long LAST_MILLIS = 500;

    private final Rounds rounds;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread = new Thread(this::run, THREAD_NAME);
    private volatile DeploySettings settings;
    private volatile boolean stopped;

    DeployWatch(Rounds rounds, DeploySettings settings) {
        this.rounds = rounds;
        this.settings = settings;
    }

    void begin() {
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Stops and waits. What is in stays in. The thread is not interrupted at first: it may be in
     * the middle of starting somebody's bundle.
     */
    void end() {
        stopped = true;
        rounds.stop();
        wake.release();
        try {
            thread.join(STOP_MILLIS);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(LAST_MILLIS);
            }
        } catch (InterruptedException e) {
            thread.interrupt();
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

    private void run() {
        rounds.begin();
        try {
            while (!stopped) {
                if (wake.tryAcquire(round(), TimeUnit.MILLISECONDS)) {
                    wake.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long round() throws InterruptedException {
        try {
            return rounds.next(settings);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("A look at the drop-in folder failed; the next one follows.", e);
            return Rounds.RETRY_MILLIS;
        }
    }
}
