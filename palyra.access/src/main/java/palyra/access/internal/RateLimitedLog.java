package palyra.access.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Logs at most once in ten seconds that the rules fail, so that many requests do not fill the log.
 */
final class RateLimitedLog {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Logger log;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    RateLimitedLog(Logger log) {
        this.log = log;
    }

    void error(String message, String about, Throwable failure) {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + EVERY_NANOS)) {
            log.error(message, about, failure);
        }
    }
}
