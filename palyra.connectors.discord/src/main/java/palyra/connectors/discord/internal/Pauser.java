package palyra.connectors.discord.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long a thing is waited for that failed and is tried again.
 *
 * @param firstMillis at most after a first failure; doubled with each further one
 * @param mostMillis at most
 */
record Pauser(long firstMillis, long mostMillis) {
    /** Waits, with jitter. */
    void pause(int failures) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis(failures));
    }

    long millis(int failures) {
        long most = Math.min(mostMillis, firstMillis << Math.min(failures - 1, 20));
        return most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
    }
}
