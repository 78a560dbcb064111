package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.util.function.Supplier;
import palyra.api.core.egress.EgressTunnelRequest;
import palyra.api.core.egress.EgressTunnelRequest.Security;
import palyra.api.core.egress.EgressTunnelRequest.TunnelLimits;
import palyra.api.core.egress.WebSocketRequest;

/** Opens connections that are no HTTP requests. Thread-safe. */
final class Tunnels {
    private final OutboundConnections outboundConnections;
    private final DeadlineWatchdog watchdog;
    private final Supplier<Tls> tls;

    Tunnels(OutboundConnections outboundConnections, DeadlineWatchdog watchdog, Supplier<Tls> tls) {
        this.outboundConnections = outboundConnections;
        this.watchdog = watchdog;
        this.tls = tls;
    }

    /**
     * Opens a connection.
     *
     * @throws RefusedException when it may not or cannot be made
     */
    OpenTunnel connect(EgressTunnelRequest request) {
        OpenTunnel tunnel = connected(request, host(request.host()));
        if (request.security() != Security.STARTTLS) {
            tunnel.ready();
        }
        return tunnel;
    }

    /**
     * Opens a WebSocket.
     *
     * @throws RefusedException when it may not or cannot be opened
     */
    OpenWebSocket webSocket(WebSocketRequest request) {
        WebSocketHandshake handshake = handshake(request);
        WebUrl url = handshake.url();
        OpenTunnel tunnel =
                connected(
                        new EgressTunnelRequest(
                                request.who(),
                                url.host().inUrl(),
                                url.port(),
                                url.secure() ? Security.TLS : Security.PLAIN,
                                url.secure() ? HttpExchange.HTTP : java.util.List.of(),
                                request.limits()),
                        url.host());
        try {
            OpenWebSocket webSocket = handshake.over(tunnel, request.maxMessageBytes());
            tunnel.ready();
            return webSocket;
        } catch (IOException e) {
            throw tunnel.failed(e);
        }
    }

    private Host host(String text) {
        try {
            return Host.parse(text);
        } catch (RefusedException e) {
            outboundConnections.counts().refused(e.reason());
            throw e;
        }
    }

    private WebSocketHandshake handshake(WebSocketRequest request) {
        try {
            return WebSocketHandshake.of(request);
        } catch (RefusedException e) {
            outboundConnections.counts().refused(e.reason());
            throw e;
        }
    }

    /** Returns a connection whose time to get ready goes on. */
    private OpenTunnel connected(EgressTunnelRequest request, Host host) {
        TunnelLimits limits = request.limits();
        ConnectionRequest wanted =
                new ConnectionRequest(
                        request.who(),
                        host,
                        request.port(),
                        ConnectionRequest.TUNNEL,
                        limits.maxBytesIn(),
                        request.security() == Security.PLAIN);
        OutboundConnection outbound = outboundConnections.open(wanted, limits.connectMillis());
        OpenTunnel tunnel =
                new OpenTunnel(outbound, outboundConnections, watchdog, tls.get(), request);
        if (request.security() == Security.TLS) {
            tunnel.secure();
        }
        return tunnel;
    }
}
