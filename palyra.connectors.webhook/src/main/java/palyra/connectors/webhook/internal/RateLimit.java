package palyra.connectors.webhook.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Lets so many requests of a minute through, as many of them at once as there are. Thread-safe. */
final class RateLimit {
    private static final double MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int perMinute;
    private final LongSupplier nanos;
    private double left; // guarded by this
    private long countedAt; // guarded by this

    /**
     * @param nanos a clock such as {@link System#nanoTime}
     */
    RateLimit(int perMinute, LongSupplier nanos) {
        this.perMinute = perMinute;
        this.nanos = nanos;
        left = perMinute;
        countedAt = nanos.getAsLong();
    }

    /** Takes one and returns 0, or returns the seconds after which there is one again. */
    synchronized int take() {
        long now = nanos.getAsLong();
        left = Math.min(perMinute, left + (now - countedAt) / MINUTE_NANOS * perMinute);
        countedAt = now;
        if (left >= 1) {
            left--;
            return 0;
        }
        return (int) Math.ceil((1 - left) * 60 / perMinute);
    }
}
