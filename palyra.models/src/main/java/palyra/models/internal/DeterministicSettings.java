package palyra.models.internal;

import palyra.api.Require;

/** Checked configuration. */
record DeterministicSettings(int maxTurns, int wordMillis) {
    DeterministicSettings {
        within("maxTurns", maxTurns, 1, 10_000);
        within("wordMillis", wordMillis, 0, 10_000);
    }

    static DeterministicSettings from(DeterministicConfiguration configuration) {
        return new DeterministicSettings(configuration.maxTurns(), configuration.wordMillis());
    }

    private static void within(String name, int value, int min, int max) {
        Require.that(
                value >= min && value <= max,
                DeterministicConfiguration.PID
                        + ": "
                        + name
                        + " is "
                        + value
                        + "; use "
                        + min
                        + " to "
                        + max);
    }
}
