package palyra.tools.internal.executor;

import palyra.shared.settings.Bounds;

/** Checked configuration. */
record ToolsSettings(int maxRunning, int drainMillis, int stopMillis, int maxKeptBytes) {
    ToolsSettings {
        within("maxRunning", maxRunning, 1, 1_000);
        within("drainMillis", drainMillis, 0, 60_000);
        within("stopMillis", stopMillis, 100, 60_000);
        within("maxKeptBytes", maxKeptBytes, 1_048_576, 1_073_741_824);
    }

    static ToolsSettings from(ToolsConfiguration configuration) {
        return new ToolsSettings(
                configuration.maxRunning(),
                configuration.drainMillis(),
                configuration.stopMillis(),
                configuration.maxKeptBytes());
    }

    private static void within(String name, long value, long least, long most) {
        Bounds.within(ToolsConfiguration.PID, name, value, least, most);
    }
}
