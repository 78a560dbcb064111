package palyra.api.core.egress;

import java.nio.charset.StandardCharsets;
import java.util.List;
import palyra.api.Require;

/**
 * A connection that is no HTTP request.
 *
 * @param who on whose behalf, and what for
 * @param host name or address as a URL has it: an IPv6 address in brackets
 * @param port TCP port
 * @param security how it is secured
 * @param applicationProtocols what is offered by ALPN (RFC 7301) in the order of preference, such
 *     as {@code imap}; empty for no offer. Without {@link Security#TLS} nothing is offered
 * @param limits what it may take
 */
public record EgressTunnelRequest(
        EgressContext who,
        String host,
        int port,
        Security security,
        List<String> applicationProtocols,
        TunnelLimits limits) {
    private static final int LONGEST_PROTOCOL = 255;

    /** How a connection is secured. */
    public enum Security {
        /** TLS from the first byte; the certificate must name the host. */
        TLS,
        /**
         * In clear until {@link EgressConnection#upgrade}, which must come before the connect
         * timeout is over; at most 64 KiB in each direction before.
         */
        STARTTLS,
        /** In clear. Only servers on this machine are connected to so. */
        PLAIN
    }

    /** Checks and copies. */
    public EgressTunnelRequest {
        Require.present(who, "on whose behalf a connection is opened");
        Require.text(host, "host");
        Require.that(
                port > 0 && port < 65_536, "port " + port + " is out of range: use 1 to 65535");
        Require.present(security, "security of a connection");
        applicationProtocols = List.copyOf(applicationProtocols);
        Require.that(
                security == Security.TLS || applicationProtocols.isEmpty(),
                "application protocols are offered with TLS from the first byte only; offer none");
        for (String protocol : applicationProtocols) {
            int length = protocol.getBytes(StandardCharsets.UTF_8).length;
            Require.that(
                    length > 0 && length <= LONGEST_PROTOCOL,
                    "an application protocol has " + length + " bytes: use 1 to 255");
        }
        Require.present(limits, "limits of a connection");
    }

    /** Returns a request with TLS, no application protocol and the default limits. */
    public static EgressTunnelRequest tls(EgressContext who, String host, int port) {
        return new EgressTunnelRequest(
                who, host, port, Security.TLS, List.of(), TunnelLimits.DEFAULT);
    }

    /**
     * Bounds of a connection. None can be left out.
     *
     * @param connectMillis for name, connection and TLS together; with a WebSocket until it is open
     * @param idleMillis longest time in which nothing is read, so longest silence of the server;
     *     what is sent does not count, because a server that is gone takes it for minutes
     * @param maxBytesIn most bytes received, without those of TLS
     * @param maxBytesOut most bytes sent, without those of TLS
     */
    public record TunnelLimits(
            int connectMillis, int idleMillis, long maxBytesIn, long maxBytesOut) {
        /** Longest {@code connectMillis}: two minutes. */
        public static final int MOST_CONNECT_MILLIS = 120_000;

        /** Longest {@code idleMillis}: two hours. */
        public static final int MOST_IDLE_MILLIS = 7_200_000;

        /** Most bytes in a direction: 1 TiB. */
        public static final long MOST_BYTES = 1L << 40;

        /** Ten seconds, five minutes, and 1 GiB in each direction. */
        public static final TunnelLimits DEFAULT =
                new TunnelLimits(10_000, 300_000, 1L << 30, 1L << 30);

        /** Checks. */
        public TunnelLimits {
            within("time to connect in ms", connectMillis, MOST_CONNECT_MILLIS);
            within("silence in ms", idleMillis, MOST_IDLE_MILLIS);
            within("number of bytes received", maxBytesIn, MOST_BYTES);
            within("number of bytes sent", maxBytesOut, MOST_BYTES);
        }

        private static void within(String what, long value, long most) {
            Require.that(
                    value > 0 && value <= most,
                    "the greatest " + what + " is " + value + ": use 1 to " + most);
        }
    }
}
