package palyra.gateway.internal.engine.run;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import palyra.gateway.internal.settings.ModelTarget;

/**
 * Reports the reason of a run's wait for a silent model, once the wait is long. Used by one worker.
 */
public final class WaitNotice {
    private static final long TELL_MILLIS = 10_000;

    private final ModelTarget target;
    private final Consumer<String> waitingFor;
    private final long tellMillis;
    private long heardNanos = System.nanoTime();
    private boolean heard;
    private boolean reported;

    public WaitNotice(ModelTarget target, Consumer<String> waitingFor) {
        this(target, waitingFor, TELL_MILLIS);
    }

    /** As above, with another patience. */
    public WaitNotice(ModelTarget target, Consumer<String> waitingFor, long tellMillis) {
        this.target = target;
        this.waitingFor = waitingFor;
        this.tellMillis = tellMillis;
    }

    /** The model said something. */
    public void broken() {
        heard = true;
        heardNanos = System.nanoTime();
        if (reported) {
            reported = false;
            waitingFor.accept("");
        }
    }

    /** Returns how long the worker may wait before it has to call {@link #tellIfDue}. */
    public long nanosUntilDue(long atMost) {
        if (reported) {
            return atMost;
        }
        long due = heardNanos + TimeUnit.MILLISECONDS.toNanos(tellMillis);
        return Math.min(atMost, Math.max(0, due - System.nanoTime()));
    }

    /**
     * Tells when it has lasted, with the nearer limit: it is the one that ends the attempt.
     *
     * @param deadlineNanos when the engine gives the turn up
     * @param providerEndMillis when the provider does, as unix time; 0 when it does not say
     */
    public void tellIfDue(long deadlineNanos, LongSupplier providerEndMillis) {
        if (reported || nanosUntilDue(Long.MAX_VALUE) > 0) {
            return;
        }
        reported = true;
        long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        long providerEnd = providerEndMillis.getAsLong();
        long providerLeft = Math.max(0, providerEnd - System.currentTimeMillis());
        boolean provider = providerEnd > 0 && providerLeft < left;
        waitingFor.accept(
                target
                        + (heard ? " stopped in its answer" : " has not begun to answer")
                        + " for "
                        + tellMillis / 1_000
                        + " s; this attempt is given up at the latest at "
                        + at(provider ? providerLeft : left)
                        + (provider
                                ? ", by the time limits of its provider"
                                : ", by turnTimeoutMillis"));
    }

    /** Returns the words that tell the end of a wait of so long. */
    public static String until(long fromNowMillis) {
        return ", until " + at(fromNowMillis) + " at the latest";
    }

    /** Returns a time from now, as UTC to the second. */
    public static String at(long fromNowMillis) {
        return Instant.now().plusMillis(fromNowMillis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
