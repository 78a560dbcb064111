package palyra.shared.follow;

import java.util.concurrent.TimeUnit;

/** A run could not be followed for longer than the follower's outage limit. The run goes on. */
public final class LostContact extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    LostContact(String runId, long outageMillis, String reason) {
        super(
                "Run "
                        + runId
                        + " could not be followed for "
                        + TimeUnit.MILLISECONDS.toSeconds(outageMillis)
                        + " seconds ("
                        + reason
                        + "); it goes on by itself: attach to it again.");
        this.reason = reason;
    }

    /** Returns why the last attempt to follow failed. */
    public String reason() {
        return reason;
    }
}
