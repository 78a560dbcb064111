package palyra.transport.grpc.internal.server;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.shared.connection.ConnectionSlots;
import palyra.transport.grpc.internal.call.OpenStreams;

/**
 * One listening server with everything that belongs to it. Nothing of it is left when {@link
 * #close} returns.
 */
final class GrpcServer implements AutoCloseable {
    /** Most bytes of a call's metadata. */
    static final int MAX_METADATA_BYTES = 16_384;

    private static final String CLOSING = "This port of the gateway is closing; attach again.";
    private static final long DRAIN_SECONDS = 3;
    private static final long END_SECONDS = 3;
    private static final int MAX_RESETS = 1_000;
    private static final int RESETS_SECONDS = 10;

    private final ServerThreads threads;
    private final Connections connections;
    private final ConnectionCalls calls;
    private final HealthMirror health;
    private final OpenStreams streams;
    private final OpenStreams anonymous = new OpenStreams();
    private final Optional<Tls> tls;
    private final InetAddress host;
    private final Server server;

    /**
     * What a server needs from outside.
     *
     * @param services in the order in which they are registered
     * @param authentication runs before all of them
     * @param counts counts their calls
     * @param streams where their authenticated streams are registered
     * @param places how many connections there may be
     * @param millis a clock that does not jump
     */
    record Parts(
            List<BindableService> services,
            Authentication authentication,
            CallCounts counts,
            OpenStreams streams,
            ConnectionSlots places,
            LongSupplier millis) {}

    private GrpcServer(
            ServerSettings settings, BindAddress address, Parts parts, BooleanSupplier ready) {
        tls = settings.tls().map(Tls::new);
        connections =
                new Connections(
                        parts.places.of(settings.connections().most()),
                        settings.shares(),
                        parts.counts,
                        parts.millis);
        calls = new ConnectionCalls(connections);
        health = new HealthMirror(ready);
        streams = parts.streams;
        host = address.socket().getAddress();
        threads = new ServerThreads();
        try {
            server = built(settings, address.socket(), parts);
        } catch (RuntimeException | Error e) {
            threads.close();
            throw e;
        }
    }

    /**
     * Starts a server.
     *
     * @throws PalyraException one sentence for the operator; nothing is left then
     */
    static GrpcServer start(
            ServerSettings settings, BindAddress address, Parts parts, BooleanSupplier ready) {
        Library.warmUp(settings.tls().isPresent());
        GrpcServer starting = new GrpcServer(settings, address, parts, ready);
        try {
            parts.streams.reopen();
            starting.server.start();
            return starting;
        } catch (IOException e) {
            starting.close();
            throw unbindable(address.socket(), e);
        } catch (RuntimeException | Error e) {
            starting.close();
            throw e;
        }
    }

    private static PalyraException unbindable(InetSocketAddress address, IOException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String found = String.valueOf(cause.getMessage());
        boolean taken = cause instanceof BindException && found.contains("in use");
        String place = address.getAddress().getHostAddress() + ":" + address.getPort();
        return taken
                ? new PalyraException(
                        ErrorCode.CONFLICT,
                        "gRPC cannot listen on "
                                + place
                                + ": another process has the port; end that one or set port of "
                                + GrpcConfiguration.PID
                                + ". It is tried again every few seconds.",
                        failure)
                : new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "gRPC cannot listen on " + place + ": " + found + "; set host and port.",
                        failure);
    }

    private Server built(ServerSettings settings, InetSocketAddress address, Parts parts) {
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(address)
                        .channelFactory(() -> new ListeningChannel(connections))
                        .bossEventLoopGroup(threads.accepting())
                        .workerEventLoopGroup(threads.io())
                        .executor(threads.calls())
                        .addStreamTracerFactory(parts.counts)
                        .addStreamTracerFactory(calls)
                        .addTransportFilter(calls.filter())
                        .maxInboundMessageSize(settings.maxMessageBytes())
                        .maxInboundMetadataSize(MAX_METADATA_BYTES)
                        .maxRstFramesPerWindow(MAX_RESETS, RESETS_SECONDS);
        bound(builder, settings.connections());
        tls.ifPresent(builder::sslContext);
        builder.addService(guarded(health, parts));
        builder.addService(guarded(ProtoReflectionServiceV1.newInstance(), parts));
        builder.addService(guarded(alphaReflection(), parts));
        parts.services.forEach(service -> builder.addService(guarded(service, parts)));
        return builder.build();
    }

    @SuppressWarnings("deprecation") // many clients still ask by the old name only
    private static BindableService alphaReflection() {
        return ProtoReflectionService.newInstance();
    }

    private static void bound(
            NettyServerBuilder builder, ServerSettings.ConnectionSettings connections) {
        builder.maxConcurrentCallsPerConnection(connections.streams())
                .handshakeTimeout(connections.handshakeSeconds(), TimeUnit.SECONDS)
                .keepAliveTime(connections.keepaliveSeconds(), TimeUnit.SECONDS)
                .keepAliveTimeout(connections.keepaliveTimeoutSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveTime(connections.clientKeepaliveSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxConnectionIdle(connections.idleSeconds(), TimeUnit.SECONDS);
    }

    /** The interceptors see messages as bytes, so that reading them happens inside of them. */
    private ServerServiceDefinition guarded(BindableService service, Parts parts) {
        return ServerInterceptors.interceptForward(
                ServerInterceptors.useInputStreamMessages(service.bindService()),
                List.<ServerInterceptor>of(
                        new GuardedCalls(),
                        new Errors(),
                        parts.authentication,
                        new StreamRegistration(parts.streams, anonymous)));
    }

    /** Returns where it listens. */
    InetSocketAddress address() {
        return (InetSocketAddress) server.getListenSockets().get(0);
    }

    /** Returns the address it listens on, as shown to clients and operators. */
    String uri() {
        String name = host.getHostAddress();
        return (tls.isPresent() ? "grpcs://" : "grpc://")
                + (name.contains(":") ? "[" + name.replaceFirst("%.*", "") + "]" : name)
                + ":"
                + address().getPort();
    }

    Connections connections() {
        return connections;
    }

    /** Tells clients that watch the standard health service whether the gateway is ready now. */
    void mirrorReadiness() {
        health.mirror();
    }

    /** Looks after files that may have changed, and after the connections. */
    void poll(ConnectionSweep sweep) {
        if (tls.isPresent() && tls.get().poll()) {
            sweep.requireTrust(connections, one -> tls.get().trusts(one.chain));
        }
        sweep.run(connections);
    }

    Optional<Finding> finding() {
        return tls.flatMap(Tls::finding);
    }

    /** Ends everything, politely first: at most some seconds. */
    @Override
    public void close() {
        server.shutdown();
        health.end();
        streams.closeAll(CLOSING);
        anonymous.closeAll(CLOSING);
        if (!ended(DRAIN_SECONDS)) {
            server.shutdownNow();
            threads.calls().interrupt();
            ended(END_SECONDS);
        }
        threads.close();
    }

    private boolean ended(long seconds) {
        try {
            return server.awaitTermination(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
