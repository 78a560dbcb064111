package palyra.gateway.internal.engine;

import palyra.api.Require;

/** Checked configuration of the engine; durations in milliseconds. */
public record EngineSettings(
        int maxActiveRuns,
        int queueLimit,
        int maxCallsPerRun,
        int maxTurns,
        int modelAttempts,
        long unavailableWaitMillis,
        long turnTimeoutMillis,
        long runTimeoutMillis,
        int contextRuns,
        long leaseMillis,
        long tokenFlushMillis,
        int tokenFlushChars,
        String defaultProvider) {
    /** Checks. */
    public EngineSettings {
        within("maxActiveRuns", maxActiveRuns, 1, 10_000);
        within("queueLimit", queueLimit, 1, 10_000_000);
        within("maxCallsPerRun", maxCallsPerRun, 0, 1_000);
        within("maxTurns", maxTurns, 1, 1_000);
        within("modelAttempts", modelAttempts, 1, 20);
        within("unavailableWaitMillis", unavailableWaitMillis, 0, 600_000);
        within("turnTimeoutMillis", turnTimeoutMillis, 100, 3_600_000);
        within("runTimeoutMillis", runTimeoutMillis, 100, 86_400_000);
        within("contextRuns", contextRuns, 0, 200);
        within("leaseMillis", leaseMillis, 1_000, 600_000);
        within("tokenFlushMillis", tokenFlushMillis, 1, 10_000);
        within("tokenFlushChars", tokenFlushChars, 1, 65_536);
        Require.text(defaultProvider, "defaultProvider");
    }

    private static void within(String name, long value, long min, long max) {
        Require.that(
                value >= min && value <= max,
                "palyra.gateway: " + name + " is " + value + "; use " + min + " to " + max);
    }

    /** Checks a configuration; INVALID_ARGUMENT names the key, the value and the range. */
    public static EngineSettings from(EngineConfiguration c) {
        return new EngineSettings(
                c.maxActiveRuns(),
                c.queueLimit(),
                c.maxCallsPerRun(),
                c.maxTurns(),
                c.modelAttempts(),
                c.unavailableWaitMillis(),
                c.turnTimeoutMillis(),
                c.runTimeoutMillis(),
                c.contextRuns(),
                c.leaseMillis(),
                c.tokenFlushMillis(),
                c.tokenFlushChars(),
                c.defaultProvider());
    }
}
