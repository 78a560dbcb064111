package palyra.transport.grpc.internal.server;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import palyra.transport.grpc.internal.call.Caller;

/** Tells {@link Connections} which calls are open on which connection. Thread-safe. */
final class ConnectionCalls extends ServerStreamTracer.Factory {
    private static final Attributes.Key<Connection> CONNECTION =
            Attributes.Key.create("palyra-connection");
    private static final Context.Key<Place> PLACE = Context.key("palyra-connection-place");

    private final Connections connections;

    ConnectionCalls(Connections connections) {
        this.connections = connections;
    }

    /** Returns what recognises a connection once it speaks HTTP/2. */
    ServerTransportFilter filter() {
        return new ServerTransportFilter() {
            @Override
            public Attributes transportReady(Attributes attributes) {
                return connections
                        .find(
                                attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
                                attributes.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR))
                        .map(connection -> known(connection, attributes))
                        .orElse(attributes);
            }
        };
    }

    private static Attributes known(Connection connection, Attributes attributes) {
        connection.chain = PeerCertificates.chain(attributes.get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        return attributes.toBuilder().set(CONNECTION, connection).build();
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Place();
    }

    /**
     * Takes note that the call of the current context has a credential that was accepted.
     *
     * @throws palyra.api.PalyraException RESOURCE_EXHAUSTED, see {@link Connections#accepted}
     */
    static void accepted(String credential, Caller.Proof proof) {
        Place place = PLACE.get();
        if (place != null) {
            place.accepted(credential, proof);
        }
    }

    private final class Place extends ServerStreamTracer {
        private Connection connection; // guarded by this; null before the call began
        private String credential = ""; // guarded by this; empty before it was accepted
        private boolean over; // guarded by this

        @Override
        public Context filterContext(Context context) {
            return context.withValue(PLACE, this);
        }

        @Override
        public synchronized void serverCallStarted(ServerCallInfo<?, ?> call) {
            Connection its = call.getAttributes().get(CONNECTION);
            if (its != null && !over) {
                connection = its;
                connections.used(its, 1);
            }
        }

        private synchronized void accepted(String id, Caller.Proof proof) {
            if (!over) {
                connections.accepted(connection, id, proof);
                credential = id;
            }
        }

        @Override
        public synchronized void streamClosed(Status status) {
            if (over) {
                return;
            }
            over = true;
            if (connection != null) {
                connections.used(connection, -1);
            }
            if (!credential.isEmpty()) {
                connections.ended(credential);
            }
        }
    }
}
