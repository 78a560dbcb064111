package palyra.journal.internal.write;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When to retry after a failure, and when to give up. Used by the writer thread only, but for
 * {@link #resume}.
 */
public final class RetrySchedule {
    private static final Logger LOG = LoggerFactory.getLogger(RetrySchedule.class);
    private static final int SLOWEST = 30;
    private static final int SOON_RESCUES = 3;
    private static final int MOST_DOUBLINGS = 16;
    private static final long LONGEST_RESCUE_MILLIS = 60_000;
    private static final long RESCUES_COUNT_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final long tickMillis;
    private int tries;
    private long dueNanos = System.nanoTime();
    private int rescues;
    private long lastRescueNanos = System.nanoTime();
    private volatile boolean givenUp;

    RetrySchedule(long tickMillis) {
        this.tickMillis = tickMillis;
    }

    /** Returns whether it is time to try. */
    boolean isDue() {
        return !givenUp && System.nanoTime() - dueNanos >= 0;
    }

    /** A try begins; should it fail, the next one is a little later each time. */
    void trying() {
        tries = Math.min(tries + 1, SLOWEST);
        dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(tickMillis * tries);
    }

    void succeeded() {
        tries = 0;
    }

    /** Only a person can help. */
    void giveUp() {
        givenUp = true;
    }

    /** A person helped, perhaps. Any thread. */
    void resume() {
        givenUp = false;
    }

    /**
     * The database was closed to be reopened. The first attempts follow at once; what comes back
     * again and again is tried later each time, for as long as it takes.
     */
    void rescuing() {
        long now = System.nanoTime();
        rescues = now - lastRescueNanos < RESCUES_COUNT_NANOS ? rescues + 1 : 1;
        lastRescueNanos = now;
        long wait = rescues <= SOON_RESCUES ? 0 : tickMillis << Math.min(rescues, MOST_DOUBLINGS);
        dueNanos = now + TimeUnit.MILLISECONDS.toNanos(Math.min(wait, LONGEST_RESCUE_MILLIS));
        if (wait > 0) {
            LOG.error(
                    "The journal was closed and opened {} times in a row and is tried again in {}"
                            + " ms; look at the system's log for the device",
                    rescues,
                    Math.min(wait, LONGEST_RESCUE_MILLIS));
        }
    }
}
