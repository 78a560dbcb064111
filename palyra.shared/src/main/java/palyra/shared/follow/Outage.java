package palyra.shared.follow;

import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Measures how long a service that is being replaced has not answered. Not thread-safe. */
public final class Outage {
    private final long limitNanos;
    private long lastContact = System.nanoTime();

    /** Begins now, as if the service had just answered. */
    public Outage(long limitMillis) {
        this.limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    /** Notes that the service answered just now. */
    public void answered() {
        lastContact = System.nanoTime();
    }

    /** Leaves time out that the caller spent on other work. */
    void exclude(long nanos) {
        lastContact += nanos;
    }

    /** Returns whether the service has not answered for longer than the limit. */
    public boolean isTooLong() {
        return System.nanoTime() - lastContact > limitNanos;
    }

    /**
     * Returns whether trying again may help.
     *
     * @param reconnecting whether it worked before: then a limit may be reached only because every
     *     client comes back at once
     */
    public static boolean isTemporary(PalyraException e, boolean reconnecting) {
        return e.code().kind() == ErrorCode.Kind.UNAVAILABLE
                || (reconnecting
                        && (e.code() == ErrorCode.RESOURCE_EXHAUSTED
                                || e.code() == ErrorCode.TIMED_OUT));
    }
}
