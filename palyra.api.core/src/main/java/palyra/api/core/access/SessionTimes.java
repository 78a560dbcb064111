package palyra.api.core.access;

import palyra.api.Require;

/**
 * When a session ends.
 *
 * @param idleMillis how long after the person's last action; 1 minute to 7 days
 * @param lifeMillis how long after the sign-in; 1 minute to 30 days
 */
public record SessionTimes(long idleMillis, long lifeMillis) {
    private static final long MINUTE = 60_000;
    private static final long DAY = 24 * 60 * MINUTE;

    /** Checks. */
    public SessionTimes {
        Require.that(
                idleMillis >= MINUTE && idleMillis <= 7 * DAY,
                "a session ends after 1 minute to 7 days without an action; "
                        + idleMillis
                        + " ms was asked for");
        Require.that(
                lifeMillis >= MINUTE && lifeMillis <= 30 * DAY,
                "a session ends 1 minute to 30 days after the sign-in; "
                        + lifeMillis
                        + " ms was asked for");
    }
}
