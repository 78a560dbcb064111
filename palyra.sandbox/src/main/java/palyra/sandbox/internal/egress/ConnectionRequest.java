package palyra.sandbox.internal.egress;

import palyra.api.core.egress.EgressContext;

/**
 * A request for an outbound connection.
 *
 * @param caller on whose behalf
 * @param method HTTP method, or {@code CONNECT} for a tunnel
 * @param maxBytes how many bytes may come back by it before it is cut
 */
record ConnectionRequest(EgressContext caller, Host host, int port, String method, long maxBytes) {
    /** Returns host and port as people write them. */
    String hostAndPort() {
        return host.inUrl() + ":" + port;
    }
}
