package palyra.transport.grpc.internal.service.stream;

import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** How long nothing was heard of a service that is being replaced. Used by one thread. */
final class Outage {
    /** How long clients are spared the news. */
    static final long MOST_MILLIS = 30_000;

    private final long mostNanos;
    private long lastHeard = System.nanoTime();

    Outage(long mostMillis) {
        this.mostNanos = TimeUnit.MILLISECONDS.toNanos(mostMillis);
    }

    /** The service was there just now. */
    void heard() {
        lastHeard = System.nanoTime();
    }

    /** Time that was spent otherwise does not count. */
    void leaveOut(long nanos) {
        lastHeard += nanos;
    }

    boolean isTooLong() {
        return System.nanoTime() - lastHeard > mostNanos;
    }

    /**
     * Returns whether trying again may help.
     *
     * @param again whether it worked before: then a bound that is reached is reached by everybody
     *     who comes back at once
     */
    static boolean passes(PalyraException e, boolean again) {
        return e.code().kind() == ErrorCode.Kind.UNAVAILABLE
                || (again
                        && (e.code() == ErrorCode.RESOURCE_EXHAUSTED
                                || e.code() == ErrorCode.TIMED_OUT));
    }
}
