package palyra.health.internal;

import java.io.Closeable;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EndPoint;
import palyra.shared.connection.BoundConnection;

/** One connection of a client to the HTTP server. */
final class HttpConnection extends BoundConnection implements Consumer<String>, Closeable {
    private final HttpConnections connections;
    private final EndPoint end;

    HttpConnection(HttpConnections connections, EndPoint end, String network) {
        super(network);
        this.connections = connections;
        this.end = end;
    }

    /** Takes what {@link palyra.shared.http.ConnectionCredential} records. */
    @Override
    public void accept(String credential) {
        if (credential.isEmpty()) {
            connections.distrust(this);
        } else {
            connections.accepted(this, credential);
        }
    }

    @Override
    public void close() {
        end.close();
    }
}
