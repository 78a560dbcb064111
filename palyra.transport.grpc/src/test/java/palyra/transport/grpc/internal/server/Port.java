package palyra.transport.grpc.internal.server;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import palyra.api.core.access.Access;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc.GatewayServiceBlockingStub;
import palyra.transport.grpc.internal.wire.gateway.GetRunRequest;

/** The transport over a real port, with a probe behind it, and clients for it. */
final class Port implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final FakeAccess access = callers();
    final ProbeService probe = new ProbeService();
    final AtomicBoolean ready = new AtomicBoolean();
    final Seams seams = Seams.empty(ready::get);
    final AtomicReference<String> uri = new AtomicReference<>("");
    final List<String> announced = new CopyOnWriteArrayList<>();
    final AtomicReference<Error> once = new AtomicReference<>(); // thrown by the next start
    final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO); // of the clock
    final GrpcTransport transport;
    private final List<ManagedChannel> channels = new ArrayList<>();

    /** Returns access control that knows two users and a connector that speaks for users. */
    static FakeAccess callers() {
        return new FakeAccess(Use.AUTHENTICATE, Use.SPEAK_FOR)
                .knows("palyra_alice", "user:alice")
                .knows("palyra_bob", "user:bob")
                .knows("palyra_connector", "service:connector")
                .connector("service:connector");
    }

    Port() {
        this(Optional.empty());
    }

    Port(Optional<PortMemory> memory) {
        seams.access().add((Access) access, Map.of());
        transport =
                new GrpcTransport(
                        seams,
                        this::services,
                        memory,
                        new GrpcTransport.Announcement() {
                            @Override
                            public void opening() {
                                told("opening", "");
                            }

                            @Override
                            public void listening(String where) {
                                told("listening", where);
                            }

                            @Override
                            public void failed(String why) {
                                told("failed", "");
                            }

                            @Override
                            public void gone() {
                                told("gone", "");
                            }
                        },
                        () -> Instant.now().plus(ahead.get()));
    }

    private List<BindableService> services() {
        Error thrown = once.getAndSet(null);
        if (thrown != null) {
            throw thrown;
        }
        return List.of(probe);
    }

    private void told(String state, String where) {
        uri.set(where);
        announced.add(state);
    }

    /** Opens a port and waits until it listens. */
    static Port open(TestSettings settings) {
        return open(settings, Optional.empty());
    }

    /** Opens a port that may be known from before and waits until it listens. */
    static Port open(TestSettings settings, Optional<PortMemory> memory) {
        Port port = new Port(memory);
        port.apply(settings);
        Await.until("the port to open: " + port.transport.findings(), PATIENCE, port::isListening);
        return port;
    }

    void apply(TestSettings settings) {
        transport.apply(settings::read);
    }

    boolean isListening() {
        return transport.address().isPresent();
    }

    InetSocketAddress address() {
        return transport.address().orElseThrow();
    }

    /** Returns what is wrong with the port, once something is. */
    String finding() {
        return Await.value("a finding", PATIENCE, () -> transport.findings().stream().findFirst())
                .message();
    }

    ManagedChannel plain() {
        return kept(NettyChannelBuilder.forAddress(address()).usePlaintext().build());
    }

    /** Returns a channel with TLS; a null client shows no certificate. */
    ManagedChannel tls(String client) {
        return kept(
                NettyChannelBuilder.forAddress(address())
                        .sslContext(clientTls(client))
                        .overrideAuthority("localhost")
                        .build());
    }

    private ManagedChannel kept(ManagedChannel channel) {
        channels.add(channel);
        return channel;
    }

    static SslContext clientTls(String client) {
        try {
            SslContextBuilder builder = GrpcSslContexts.forClient().trustManager(stream("ca.pem"));
            if (client != null) {
                builder.keyManager(stream(client + ".pem"), stream(client + ".key"));
            }
            return builder.build();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static InputStream stream(String resource) {
        return new ByteArrayInputStream(
                TestSettings.resource(resource).getBytes(StandardCharsets.US_ASCII));
    }

    static Metadata metadata(String... pairs) {
        Metadata metadata = new Metadata();
        for (int i = 0; i < pairs.length; i += 2) {
            metadata.put(Metadata.Key.of(pairs[i], Metadata.ASCII_STRING_MARSHALLER), pairs[i + 1]);
        }
        return metadata;
    }

    static GatewayServiceBlockingStub stub(ManagedChannel channel, String... metadata) {
        return GatewayServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata(metadata)));
    }

    static GatewayServiceBlockingStub as(ManagedChannel channel, String token) {
        return stub(channel, "authorization", "Bearer palyra_" + token);
    }

    /** Does something on a thread of its own. */
    static <T> CompletableFuture<T> async(Supplier<T> step) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.startVirtualThread(
                () -> {
                    try {
                        result.complete(step.get());
                    } catch (RuntimeException | Error e) {
                        result.completeExceptionally(e);
                    }
                });
        return result;
    }

    /** Returns for whom a call of the stub is made. */
    static String whoAmI(GatewayServiceBlockingStub stub) {
        return stub.getRun(GetRunRequest.getDefaultInstance()).getRun().getPrincipal();
    }

    double metric(String name) {
        return transport.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(palyra.api.core.ops.Metric::value)
                .sum();
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        transport.close();
    }
}
