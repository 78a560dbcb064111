package palyra.shell.internal.socket;

import palyra.api.Require;

/** Checked form of {@link ShellSettings}. */
record Limits(int maxConnections, int requestTimeoutMillis, long stallTimeoutMillis) {
    Limits {
        Require.that(
                maxConnections >= 1 && maxConnections <= 1024,
                "maxConnections is " + maxConnections + ": give 1 to 1024");
        Require.that(
                requestTimeoutMillis >= 100 && requestTimeoutMillis <= 600_000,
                "requestTimeoutMillis is " + requestTimeoutMillis + ": give 100 to 600000");
        Require.that(
                stallTimeoutMillis >= 1 && stallTimeoutMillis <= 86_400_000,
                "stallTimeoutSeconds is out of range: give 1 to 86400");
    }

    static Limits of(ShellSettings settings) {
        return new Limits(
                settings.maxConnections(),
                settings.requestTimeoutMillis(),
                settings.stallTimeoutSeconds() * 1_000L);
    }
}
