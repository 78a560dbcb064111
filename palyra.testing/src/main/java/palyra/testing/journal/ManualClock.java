package palyra.testing.journal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that changes only when a test moves it. Thread-safe. */
public final class ManualClock implements InstantSource {
    private final AtomicLong millis;

    /** Begins at a time, unix milliseconds. */
    public ManualClock(long startMillis) {
        millis = new AtomicLong(startMillis);
    }

    /** Moves on, or back. */
    public void advance(long byMillis) {
        millis.addAndGet(byMillis);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    @Override
    public long millis() {
        return millis.get();
    }
}
