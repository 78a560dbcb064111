package palyra.sandbox.internal.egress;

import palyra.api.core.egress.EgressContext;

/**
 * A request for an outbound connection.
 *
 * @param caller on whose behalf
 * @param method HTTP method, or {@code CONNECT} for a tunnel
 * @param maxBytes how many bytes may come back by it before it is cut
 * @param local whether it may lead to this machine alone
 */
record ConnectionRequest(
        EgressContext caller, Host host, int port, String method, long maxBytes, boolean local) {
    /** The method of connections that are no HTTP request. */
    static final String TUNNEL = "CONNECT";

    ConnectionRequest(EgressContext caller, Host host, int port, String method, long maxBytes) {
        this(caller, host, port, method, maxBytes, false);
    }

    boolean isTunnel() {
        return method.equals(TUNNEL);
    }

    /** Returns host and port as people write them. */
    String hostAndPort() {
        return host.inUrl() + ":" + port;
    }
}
