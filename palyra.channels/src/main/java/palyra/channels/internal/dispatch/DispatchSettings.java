package palyra.channels.internal.dispatch;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How messages are sent.
 *
 * @param threads how many conversations of a connector are sent to at a time
 * @param maxAttempts after how many failed attempts a message becomes a dead letter; those that the
 *     platform put off do not count
 * @param firstDelayMillis pause after the first failure, doubled with each one
 * @param longestDelayMillis longest such pause
 * @param expiryMillis age at which a message is not sent any more; 0 for never
 * @param resendUnknown whether a message is sent again when it cannot be found out whether it
 *     arrived
 */
public record DispatchSettings(
        int threads,
        int maxAttempts,
        long firstDelayMillis,
        long longestDelayMillis,
        long expiryMillis,
        boolean resendUnknown) {
    /** Returns the pause after failed attempts, with up to a quarter of jitter on either side. */
    long delayMillis(int attempts) {
        long doubled = firstDelayMillis << Math.min(Math.max(0, attempts - 1), 20);
        long delay = Math.min(doubled, longestDelayMillis);
        long quarter = Math.max(1, delay / 4);
        return delay + ThreadLocalRandom.current().nextLong(-quarter, quarter + 1);
    }
}
