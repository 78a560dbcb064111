package palyra.api.core.egress;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Opens connections to the world outside that are no HTTP requests, for connectors above all. What
 * {@link EgressClient} does for a request is done for each: policy decides, with the method {@code
 * CONNECT}; every resolved address is checked and the checked one is connected to; beginning and
 * end are events of the journal. Both are decided on again every second while the connection is
 * open: it is cut when policy or the settings of addresses allow it no more, and when policy cannot
 * be asked for several seconds. It is cut, too, when the bundle that opened it stops or gives this
 * service back, and when the bundle that offers this service goes. Thread-safe; calls block, also
 * on virtual threads.
 */
@ProviderType
public interface EgressTunnels {
    /**
     * Opens a connection, which the caller closes.
     *
     * @throws palyra.api.PalyraException DENIED with the host and the reason; INVALID_ARGUMENT when
     *     the host is not usable; TIMED_OUT; TOOL_UNAVAILABLE when the host cannot be found,
     *     reached or secured by TLS; RESOURCE_EXHAUSTED while too many connections are open;
     *     CANCELLED when the thread was interrupted; POLICY_UNAVAILABLE, JOURNAL_UNAVAILABLE and
     *     the like
     */
    EgressConnection connect(EgressTunnelRequest request);

    /**
     * Opens a WebSocket (RFC 6455) without extensions, which the caller closes. An answer other
     * than 101 is TOOL_UNAVAILABLE and its status is in the message; redirects are not followed.
     *
     * @throws palyra.api.PalyraException as {@link #connect}
     */
    WebSocketConnection webSocket(WebSocketRequest request);
}
