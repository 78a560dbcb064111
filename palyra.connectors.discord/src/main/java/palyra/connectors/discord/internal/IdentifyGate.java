package palyra.connectors.discord.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Lets the shards of one account log in at Discord's pace. Thread-safe. */
final class IdentifyGate {
    private final long millis;
    private final Map<Integer, Long> nextNanos = new HashMap<>();
    private int concurrency = 1;

    /**
     * Creates it.
     *
     * @param millis between two logins of a bucket
     */
    IdentifyGate(long millis) {
        this.millis = millis;
    }

    /** Takes note of how many shards may log in at a time. */
    synchronized void concurrency(int most) {
        concurrency = Math.max(1, most);
    }

    /** Waits until a shard may log in. */
    void pass(int shard) throws InterruptedException {
        long wait = reserve(shard);
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }

    private synchronized long reserve(int shard) {
        long now = System.nanoTime();
        int bucket = shard % concurrency;
        long at = Math.max(now, nextNanos.getOrDefault(bucket, now));
        nextNanos.put(bucket, at + TimeUnit.MILLISECONDS.toNanos(millis));
        return at - now;
    }
}
