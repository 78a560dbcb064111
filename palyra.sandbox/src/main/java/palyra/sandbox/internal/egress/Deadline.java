package palyra.sandbox.internal.egress;

import java.util.concurrent.TimeUnit;

/** Times within other times. Pure. */
final class Deadline {
    private Deadline() {}

    /** Returns when {@code millis} will have passed; {@link Long#MAX_VALUE} for 0, never. */
    static long after(long millis) {
        return millis == 0
                ? Long.MAX_VALUE
                : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Returns {@code millis}, or the remaining time if that is less; at least 1. */
    static long millis(long millis, long endNanos) {
        if (endNanos == Long.MAX_VALUE) {
            return millis;
        }
        long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
        return Math.max(1, Math.min(millis, left));
    }
}
