package palyra.bench.console;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Says at which unix time, in microseconds, something was of {@link System#nanoTime}. */
final class Wall {
    private final long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    private final long nanos = System.nanoTime();

    double micros(long nanoTime) {
        return micros + (nanoTime - nanos) / (double) TimeUnit.MICROSECONDS.toNanos(1);
    }
}
