package palyra.gateway.internal.settings;

import palyra.api.Require;
import palyra.api.core.gateway.AgentView;
import palyra.shared.settings.Bounds;

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
        String defaultProvider,
        Asking asking,
        MemorySettings memory,
        int quarantineAfterUncleanEnds,
        int mostCallsPerRun) {
    /** Most calls of a run that an agent can have without configuration. */
    private static final int MOST_CALLS = 1_000;

    /** How many unclean ends of the gateway in a row a run outlives without configuration. */
    static final int UNCLEAN_ENDS = 5;

    /**
     * How models are asked.
     *
     * @param maxRetryAfterMillis longest that a run waits because a server asks it to
     * @param reserveOutputTokens tokens of an answer that budgets set aside when the profile names
     *     no bound
     * @param bytesPerToken how many bytes of text count as one token in estimates
     * @param currency of prices and budgets
     * @param describesEnvironment whether instructions end with where the agent's tools work
     */
    public record Asking(
            long maxRetryAfterMillis,
            int reserveOutputTokens,
            int bytesPerToken,
            String currency,
            boolean describesEnvironment) {
        /** What holds without configuration. */
        public static final Asking DEFAULT = new Asking(30_000, 4_096, 3, "USD", true);

        /** Checks. */
        public Asking {
            within("maxRetryAfterMillis", maxRetryAfterMillis, 0, 600_000);
            within("reserveOutputTokens", reserveOutputTokens, 1, 10_000_000);
            within("bytesPerToken", bytesPerToken, 1, 16);
            Require.that(
                    currency != null && currency.matches("[A-Za-z0-9]{1,12}"),
                    "palyra.gateway: currency '"
                            + currency
                            + "' is not usable: 1 to 12 letters and digits, such as USD");
        }
    }

    /** Creates settings with the usual way to ask models. */
    public EngineSettings(
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
        this(
                maxActiveRuns,
                queueLimit,
                maxCallsPerRun,
                maxTurns,
                modelAttempts,
                unavailableWaitMillis,
                turnTimeoutMillis,
                runTimeoutMillis,
                contextRuns,
                leaseMillis,
                tokenFlushMillis,
                tokenFlushChars,
                defaultProvider,
                Asking.DEFAULT);
    }

    /** Creates settings with the usual bounds of memory. */
    public EngineSettings(
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
            String defaultProvider,
            Asking asking) {
        this(
                maxActiveRuns,
                queueLimit,
                maxCallsPerRun,
                maxTurns,
                modelAttempts,
                unavailableWaitMillis,
                turnTimeoutMillis,
                runTimeoutMillis,
                contextRuns,
                leaseMillis,
                tokenFlushMillis,
                tokenFlushChars,
                defaultProvider,
                asking,
                MemorySettings.DEFAULT,
                UNCLEAN_ENDS,
                MOST_CALLS);
    }

    /** Returns the same with other bounds of memory. */
    public EngineSettings with(MemorySettings other) {
        return new EngineSettings(
                maxActiveRuns,
                queueLimit,
                maxCallsPerRun,
                maxTurns,
                modelAttempts,
                unavailableWaitMillis,
                turnTimeoutMillis,
                runTimeoutMillis,
                contextRuns,
                leaseMillis,
                tokenFlushMillis,
                tokenFlushChars,
                defaultProvider,
                asking,
                other,
                quarantineAfterUncleanEnds,
                mostCallsPerRun);
    }

    /** Returns how many calls a run of an agent may propose. */
    public int callsOf(AgentView agent) {
        return agent.maxCalls() == 0 ? maxCallsPerRun : Math.min(agent.maxCalls(), mostCallsPerRun);
    }

    /** Checks. */
    public EngineSettings {
        within("maxActiveRuns", maxActiveRuns, 1, 10_000);
        within("queueLimit", queueLimit, 1, 10_000_000);
        within("maxCallsPerRun", maxCallsPerRun, 0, 10_000);
        within("mostCallsPerRun", mostCallsPerRun, 0, 10_000);
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
        Require.present(asking, "how models are asked");
        Require.present(memory, "bounds of memory");
        within("quarantineAfterUncleanEnds", quarantineAfterUncleanEnds, 1, 1_000);
    }

    private static void within(String name, long value, long least, long most) {
        Bounds.within("palyra.gateway", name, value, least, most);
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
                c.defaultProvider(),
                new Asking(
                        c.maxRetryAfterMillis(),
                        c.reserveOutputTokens(),
                        c.bytesPerToken(),
                        c.currency(),
                        c.environmentPrompt()),
                new MemorySettings(
                        c.runMemoryBytes(),
                        c.runShareBytes(),
                        c.maxAnswerBytes(),
                        c.maxTurnBytes()),
                c.quarantineAfterUncleanEnds(),
                c.mostCallsPerRun());
    }
}
