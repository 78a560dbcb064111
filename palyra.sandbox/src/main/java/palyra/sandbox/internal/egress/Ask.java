package palyra.sandbox.internal.egress;

import palyra.api.core.egress.EgressCircumstances;

/**
 * A request for an outbound connection.
 *
 * @param who on whose behalf
 * @param method HTTP method, or {@code CONNECT} for a tunnel
 * @param maxBytes how many bytes may come back by it before it is cut
 */
record Ask(EgressCircumstances who, Host host, int port, String method, long maxBytes) {
    /** Returns host and port as people write them. */
    String place() {
        return host.inUrl() + ":" + port;
    }
}
