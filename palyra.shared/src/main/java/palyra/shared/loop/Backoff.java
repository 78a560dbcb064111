package palyra.shared.loop;

import java.time.Duration;
import palyra.api.Require;

/**
 * The wait before a loop starts again: {@code first}, doubled with each failure up to {@code
 * limit}, and {@code first} again once the body has run for {@code healthy}.
 */
public record Backoff(Duration first, Duration limit, Duration healthy) {
    /** 100 ms doubling to 30 s, forgotten after a healthy minute. */
    public static final Backoff USUAL =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofMinutes(1));

    /** Checks. */
    public Backoff {
        Require.that(
                first.isPositive() && limit.compareTo(first) >= 0 && !healthy.isNegative(),
                "backoff of " + first + " to " + limit + " is not usable");
    }

    /** Returns the wait after this many failures in a row, 1 for the first. */
    Duration after(int failures) {
        int doublings = Math.min(Math.max(0, failures - 1), 30);
        Duration wait = first.multipliedBy(1L << doublings);
        return wait.compareTo(limit) < 0 ? wait : limit;
    }
}
