package palyra.transport.grpc.internal.server;

import java.nio.file.Path;
import java.util.Optional;
import palyra.api.Require;
import palyra.shared.connection.ConnectionLimits;

/**
 * Checked settings of the server.
 *
 * @param host address or name to listen on; never blank
 * @param port 0 means any free one
 * @param tls empty means plaintext, which is for loopback alone
 * @param maxMessageBytes most bytes of one message of a client
 * @param connections bounds of connections
 * @param shares what one address and one credential may have of them
 * @param failuresPerMinute credentials that may fail in a minute from one address
 * @param firstMessageSeconds within which the first message of a stream must come
 */
public record ServerSettings(
        String host,
        int port,
        Optional<TlsSettings> tls,
        int maxMessageBytes,
        ConnectionSettings connections,
        Shares shares,
        int failuresPerMinute,
        int firstMessageSeconds) {
    /** Checks. */
    public ServerSettings {
        Require.text(host, "host of " + GrpcConfiguration.PID);
        range("port", port, 0, 65_535);
        Require.present(tls, "TLS settings");
        range("maxMessageBytes", maxMessageBytes, 65_536, 67_108_864);
        Require.present(connections, "connection settings");
        Require.present(shares, "shares of connections");
        range("failuresPerMinute", failuresPerMinute, 1, 10_000);
        range("firstMessageSeconds", firstMessageSeconds, 1, 3_600);
    }

    /**
     * Bounds of one address and one credential.
     *
     * @param perAddress connections without a credential that one address may have
     * @param perCredential connections that one credential may have
     * @param callsPerCredential calls that one credential may have open at a time
     * @param unauthenticatedSeconds that a connection without a credential may be without a call
     */
    public record Shares(
            int perAddress, int perCredential, int callsPerCredential, int unauthenticatedSeconds) {
        /** Checks. */
        public Shares {
            range("maxConnectionsPerAddress", perAddress, 1, 100_000);
            range("maxConnectionsPerCredential", perCredential, 1, 100_000);
            range("maxCallsPerCredential", callsPerCredential, 1, 1_000_000);
            range("unauthenticatedSeconds", unauthenticatedSeconds, 1, 3_600);
        }

        /** Returns the bounds of connections, {@code most} with a credential. */
        ConnectionLimits.Limits limits(int most) {
            return new ConnectionLimits.Limits(
                    most, perAddress, perCredential, unauthenticatedSeconds);
        }
    }

    /**
     * Bounds of connections.
     *
     * @param most connections at one time
     * @param streams calls that one connection may have open at a time
     * @param handshakeSeconds for TLS and the start of HTTP/2
     * @param keepaliveSeconds without traffic until a ping
     * @param keepaliveTimeoutSeconds until a ping must be answered
     * @param clientKeepaliveSeconds that must lie between two pings of a client
     * @param idleSeconds without a call until a connection is closed
     */
    public record ConnectionSettings(
            int most,
            int streams,
            int handshakeSeconds,
            int keepaliveSeconds,
            int keepaliveTimeoutSeconds,
            int clientKeepaliveSeconds,
            int idleSeconds) {
        /** Checks. */
        public ConnectionSettings {
            range("maxConnections", most, 1, 100_000);
            range("maxStreamsPerConnection", streams, 1, 10_000);
            range("handshakeSeconds", handshakeSeconds, 1, 120);
            range("keepaliveSeconds", keepaliveSeconds, 10, 7_200);
            range("keepaliveTimeoutSeconds", keepaliveTimeoutSeconds, 1, 600);
            range("clientKeepaliveSeconds", clientKeepaliveSeconds, 1, 7_200);
            range("idleSeconds", idleSeconds, 10, 86_400);
        }

        ConnectionSettings withMost(int other) {
            return new ConnectionSettings(
                    other,
                    streams,
                    handshakeSeconds,
                    keepaliveSeconds,
                    keepaliveTimeoutSeconds,
                    clientKeepaliveSeconds,
                    idleSeconds);
        }
    }

    private static void range(String key, int value, int least, int most) {
        Require.that(
                value >= least && value <= most,
                key + " is " + value + ": use " + least + " to " + most);
    }

    /**
     * Reads a configuration.
     *
     * @param stateFolder what relative paths are relative to
     * @throws palyra.api.PalyraException INVALID_ARGUMENT naming the key
     */
    public static ServerSettings of(GrpcConfiguration configuration, Path stateFolder) {
        return new ServerSettings(
                configuration.host().strip(),
                configuration.port(),
                TlsSettings.of(configuration, stateFolder),
                configuration.maxMessageBytes(),
                new ConnectionSettings(
                        configuration.maxConnections(),
                        configuration.maxStreamsPerConnection(),
                        configuration.handshakeSeconds(),
                        configuration.keepaliveSeconds(),
                        configuration.keepaliveTimeoutSeconds(),
                        configuration.clientKeepaliveSeconds(),
                        configuration.idleSeconds()),
                new Shares(
                        configuration.maxConnectionsPerAddress(),
                        configuration.maxConnectionsPerCredential(),
                        configuration.maxCallsPerCredential(),
                        configuration.unauthenticatedSeconds()),
                configuration.failuresPerMinute(),
                configuration.firstMessageSeconds());
    }

    /** Returns whether a running server must be restarted to apply {@code other}. */
    boolean restartsFor(ServerSettings other) {
        return !withLimitsOf(other).equals(other);
    }

    private ServerSettings withLimitsOf(ServerSettings other) {
        return new ServerSettings(
                host,
                port,
                tls,
                maxMessageBytes,
                connections.withMost(other.connections.most),
                other.shares,
                other.failuresPerMinute,
                other.firstMessageSeconds);
    }
}
