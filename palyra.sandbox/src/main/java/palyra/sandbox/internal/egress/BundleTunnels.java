package palyra.sandbox.internal.egress;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressConnection;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.core.egress.WebSocketConnection;
import palyra.api.core.egress.WebSocketRequest;

/** The tunnels of one bundle, which end with its use of the service. Thread-safe. */
final class BundleTunnels implements EgressTunnels, AutoCloseable {
    private final Tunnels tunnels;
    private final String bundle;
    private final Runnable egressIsOpen;
    private final Set<OpenTunnel> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates them.
     *
     * @param egressIsOpen throws when egress is shutting down
     */
    BundleTunnels(Tunnels tunnels, String bundle, Runnable egressIsOpen) {
        this.tunnels = tunnels;
        this.bundle = bundle;
        this.egressIsOpen = egressIsOpen;
    }

    @Override
    public EgressConnection connect(EgressTunnelRequest request) {
        return called(request.who(), () -> kept(tunnels.connect(request)));
    }

    @Override
    public WebSocketConnection webSocket(WebSocketRequest request) {
        return called(
                request.who(),
                () -> {
                    OpenWebSocket webSocket = tunnels.webSocket(request);
                    kept(webSocket.tunnel());
                    return webSocket;
                });
    }

    private <R> R called(EgressContext who, Supplier<R> call) {
        try {
            requireOpen();
            egressIsOpen.run();
            return call.get();
        } catch (RefusedException e) {
            throw e.forCaller(who);
        }
    }

    private OpenTunnel kept(OpenTunnel tunnel) {
        open.add(tunnel);
        tunnel.afterwards(() -> open.remove(tunnel));
        if (closed) {
            tunnel.cut(why());
            requireOpen();
        }
        return tunnel;
    }

    private void requireOpen() {
        if (closed) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The service for connections was given back by "
                            + bundle
                            + "; take it again before the next one.");
        }
    }

    private String why() {
        return "the bundle " + bundle + " stopped, or gave the service back";
    }

    /** Cuts all. */
    @Override
    public void close() {
        closed = true;
        open.forEach(tunnel -> tunnel.cut(why()));
    }
}
