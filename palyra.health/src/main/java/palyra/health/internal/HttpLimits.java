package palyra.health.internal;

import palyra.api.Require;
import palyra.shared.connection.ConnectionLimits;
import palyra.shared.connection.ConnectionSlots;

/**
 * Validated connection limits.
 *
 * @param most connections on which a credential was accepted
 * @param perAddress connections without a credential that one address may have
 * @param perCredential connections that one token may have
 * @param unauthenticatedSeconds seconds that a connection without a credential may be idle
 */
record HttpLimits(int most, int perAddress, int perCredential, int unauthenticatedSeconds) {
    private static final int MOST = 100_000;

    HttpLimits {
        range("maxConnections", most, MOST);
        range("maxConnectionsPerAddress", perAddress, MOST);
        range("maxConnectionsPerCredential", perCredential, MOST);
        range("unauthenticatedSeconds", unauthenticatedSeconds, 3_600);
    }

    static HttpLimits of(HealthConfiguration configuration) {
        return new HttpLimits(
                configuration.maxConnections(),
                configuration.maxConnectionsPerAddress(),
                configuration.maxConnectionsPerCredential(),
                configuration.unauthenticatedSeconds());
    }

    private static void range(String key, int value, int most) {
        Require.that(value >= 1 && value <= most, key + " is " + value + ": give 1 to " + most);
    }

    ConnectionLimits.Limits within(ConnectionSlots places) {
        return new ConnectionLimits.Limits(
                places.of(most), perAddress, perCredential, unauthenticatedSeconds);
    }
}
