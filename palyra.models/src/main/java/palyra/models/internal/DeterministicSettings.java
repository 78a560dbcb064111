package palyra.models.internal;

import palyra.shared.settings.Bounds;

/** Checked configuration. */
record DeterministicSettings(int maxTurns, int wordMillis) {
    DeterministicSettings {
        within("maxTurns", maxTurns, 1, 10_000);
        within("wordMillis", wordMillis, 0, 10_000);
    }

    static DeterministicSettings from(DeterministicConfiguration configuration) {
        return new DeterministicSettings(configuration.maxTurns(), configuration.wordMillis());
    }

    private static void within(String name, long value, long least, long most) {
        Bounds.within(DeterministicConfiguration.PID, name, value, least, most);
    }
}
