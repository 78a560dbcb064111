package palyra.health.internal;

import org.eclipse.jetty.io.EndPoint;
import palyra.shared.connection.BoundConnection;

/** One connection of a client to the HTTP server. */
final class HttpConnection extends BoundConnection {
    /** Attribute of a request that has its connection; absent while it closes. */
    static final String ATTRIBUTE = "palyra.health.connection";

    private final HttpConnections connections;
    private final EndPoint end;

    HttpConnection(HttpConnections connections, EndPoint end, String network) {
        super(network);
        this.connections = connections;
        this.end = end;
    }

    /**
     * Records that the credential of a request was accepted.
     *
     * @param credential its id
     * @throws palyra.api.PalyraException RESOURCE_EXHAUSTED when the credential has too many
     *     connections, or all connections are busy
     */
    void accepted(String credential) {
        connections.accepted(this, credential);
    }

    /** Records a request without an accepted credential. */
    void distrust() {
        connections.distrust(this);
    }

    void close() {
        end.close();
    }
}
