package palyra.sandbox.internal.run;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that standard output and standard error may have together. Thread-safe. */
final class OutputLimit {
    private final AtomicLong left;

    OutputLimit(long bytes) {
        left = new AtomicLong(bytes);
    }

    /** Takes up to {@code wanted} bytes out of the budget; returns how many there were. */
    int take(int wanted) {
        long before = left.getAndUpdate(now -> Math.max(0, now - wanted));
        return (int) Math.min(before, wanted);
    }
}
