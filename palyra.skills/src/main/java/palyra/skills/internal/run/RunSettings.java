package palyra.skills.internal.run;

import palyra.api.Require;

/**
 * Settings of skill calls.
 *
 * @param engine id of the usual engine
 * @param engineWaitMillis longest wait for an engine that is being replaced
 * @param stopMillis how long calls may go on when this bundle stops
 */
public record RunSettings(String engine, long engineWaitMillis, long stopMillis) {
    /** The defaults. */
    public static final RunSettings DEFAULT = new RunSettings("endive", 30_000, 2_000);

    /** Checks. */
    public RunSettings {
        Require.that(
                engine != null && engine.matches("[a-z][a-z0-9-]{0,31}"),
                "engine '" + engine + "' is not usable: a lower-case word such as endive");
        Require.that(
                engineWaitMillis >= 0 && engineWaitMillis <= 300_000,
                "engineWaitMillis is " + engineWaitMillis + "; use 0 to 300000");
        Require.that(
                stopMillis >= 0 && stopMillis <= 60_000,
                "stopMillis is " + stopMillis + "; use 0 to 60000");
    }
}
