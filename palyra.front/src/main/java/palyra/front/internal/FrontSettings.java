package palyra.front.internal;

import palyra.api.Require;

/**
 * Bounds of the front.
 *
 * @param queueLimit messages and runs that may wait before new ones are refused
 * @param maxFollowers runs that may be followed at the same time
 */
public record FrontSettings(int queueLimit, int maxFollowers) {
    /** Checks. */
    public FrontSettings {
        Require.that(
                queueLimit >= 1 && queueLimit <= 1_000_000,
                "queueLimit is " + queueLimit + ": use 1 to 1000000");
        Require.that(
                maxFollowers >= 1 && maxFollowers <= 100_000,
                "maxFollowers is " + maxFollowers + ": use 1 to 100000");
    }

    /** Returns what holds when nothing is configured. */
    public static FrontSettings defaults() {
        return new FrontSettings(10_000, 1_000);
    }
}
