package palyra.bench.grpc;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;

/** Connections of one principal to a gateway, used in turn. Thread-safe. */
public final class GrpcClient implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final long CLOSE_SECONDS = 10;

    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<GatewayServiceGrpc.GatewayServiceStub> stubs = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * Opens connections.
     *
     * @param endpoint {@code grpc://127.0.0.1:7443}
     * @param token API token
     */
    public GrpcClient(String endpoint, String token, int connections) {
        URI uri = URI.create(endpoint);
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        for (int i = 0; i < connections; i++) {
            ManagedChannel channel =
                    NettyChannelBuilder.forAddress(uri.getHost(), uri.getPort())
                            .usePlaintext()
                            .build();
            channels.add(channel);
            stubs.add(
                    GatewayServiceGrpc.newStub(channel)
                            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)));
        }
    }

    /** Returns the stub of one of the connections. */
    public GatewayServiceGrpc.GatewayServiceStub stub() {
        return stubs.get(Math.floorMod(next.getAndIncrement(), stubs.size()));
    }

    /** Returns a stub that waits for its answer, on one of the connections. */
    public GatewayServiceGrpc.GatewayServiceBlockingStub blocking() {
        GatewayServiceGrpc.GatewayServiceStub one = stub();
        return GatewayServiceGrpc.newBlockingStub(one.getChannel());
    }

    /** Connects again at once instead of after gRPC's back-off. */
    void wake() {
        channels.forEach(ManagedChannel::resetConnectBackoff);
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        try {
            for (ManagedChannel channel : channels) {
                channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
