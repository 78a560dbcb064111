package palyra.api.core.egress;

import java.util.List;
import java.util.Map;
import palyra.api.Require;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;

/**
 * A WebSocket that is to be opened.
 *
 * @param who on whose behalf, and what for
 * @param url absolute {@code wss} URL without user information, or a {@code ws} one of a server on
 *     this machine; its path and query are never recorded
 * @param headers further headers; none that belongs to the handshake
 * @param secretHeaders headers with credentials; never recorded
 * @param protocols subprotocols in the order of preference; empty for no offer
 * @param limits what the connection may take
 * @param maxMessageBytes largest message that is received, 1 byte to 64 MiB
 */
public record WebSocketRequest(
        EgressContext who,
        String url,
        Map<String, String> headers,
        Map<String, String> secretHeaders,
        List<String> protocols,
        TunnelLimits limits,
        int maxMessageBytes) {
    /** The usual largest message: 1 MiB. */
    public static final int DEFAULT_MESSAGE_BYTES = 1 << 20;

    /** The largest message that can be asked for: 64 MiB. */
    public static final int MOST_MESSAGE_BYTES = 64 << 20;

    /** Checks and copies. */
    public WebSocketRequest {
        Require.present(who, "on whose behalf a WebSocket is opened");
        Require.text(url, "URL");
        headers = Map.copyOf(headers);
        secretHeaders = Map.copyOf(secretHeaders);
        protocols = List.copyOf(protocols);
        for (String protocol : protocols) {
            Require.that(
                    protocol.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,255}"),
                    "the subprotocol '" + protocol + "' is no token (RFC 9110, section 5.6.2)");
        }
        Require.present(limits, "limits of a WebSocket");
        Require.that(
                maxMessageBytes > 0 && maxMessageBytes <= MOST_MESSAGE_BYTES,
                "the largest message has "
                        + maxMessageBytes
                        + " bytes: use 1 to "
                        + MOST_MESSAGE_BYTES);
    }

    /** Returns a request without headers and with the default limits. */
    public static WebSocketRequest of(EgressContext who, String url) {
        return new WebSocketRequest(
                who,
                url,
                Map.of(),
                Map.of(),
                List.of(),
                TunnelLimits.DEFAULT,
                DEFAULT_MESSAGE_BYTES);
    }

    @Override
    public String toString() {
        int slash = url.indexOf('/', url.indexOf("://") + 3);
        String origin = slash < 0 ? url.replaceAll("[?#].*", "") : url.substring(0, slash);
        return "WebSocketRequest[" + origin + "/…]"; // secrets stay out of logs
    }
}
