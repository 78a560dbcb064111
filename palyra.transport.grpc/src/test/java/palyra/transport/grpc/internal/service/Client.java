package palyra.transport.grpc.internal.service;

import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import palyra.transport.grpc.internal.wire.gateway.ApprovalsServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.ApprovalsServiceGrpc.ApprovalsServiceBlockingStub;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc.GatewayServiceBlockingStub;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc.GatewayServiceStub;
import palyra.transport.grpc.internal.wire.gateway.VaultServiceGrpc;
import palyra.transport.grpc.internal.wire.gateway.VaultServiceGrpc.VaultServiceBlockingStub;

/** A client with a token. */
final class Client implements AutoCloseable {
    /** Small, so that a client that does not read is felt soon. */
    static final int WINDOW_BYTES = 65_536;

    private static final long CALL_SECONDS = 60;

    private final ManagedChannel channel;
    private Metadata metadata = new Metadata();

    Client(InetSocketAddress address, String token) {
        channel =
                NettyChannelBuilder.forAddress(address)
                        .usePlaintext()
                        .flowControlWindow(WINDOW_BYTES)
                        .build();
        if (!token.isEmpty()) {
            with("authorization", "Bearer " + token);
        }
    }

    /** Sends this with every call from now on. */
    Client with(String name, String value) {
        Metadata more = new Metadata();
        more.merge(metadata);
        more.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
        metadata = more;
        return this;
    }

    private ClientInterceptor headers() {
        return MetadataUtils.newAttachHeadersInterceptor(metadata);
    }

    /** Returns a stub whose calls have a minute. */
    GatewayServiceBlockingStub call() {
        return callWithin(CALL_SECONDS);
    }

    GatewayServiceBlockingStub callWithin(long seconds) {
        return GatewayServiceGrpc.newBlockingStub(channel)
                .withInterceptors(headers())
                .withDeadlineAfter(seconds, TimeUnit.SECONDS);
    }

    /** Returns a stub of the service of questions whose calls have a minute. */
    ApprovalsServiceBlockingStub approvals() {
        return ApprovalsServiceGrpc.newBlockingStub(channel)
                .withInterceptors(headers())
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns a stub of the service of secrets whose calls have a minute. */
    VaultServiceBlockingStub vault() {
        return VaultServiceGrpc.newBlockingStub(channel)
                .withInterceptors(headers())
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns a stub whose calls have no deadline. */
    GatewayServiceBlockingStub callWithoutDeadline() {
        return GatewayServiceGrpc.newBlockingStub(channel).withInterceptors(headers());
    }

    /** Returns what calls go through. */
    Channel transport() {
        return ClientInterceptors.intercept(channel, headers());
    }

    GatewayServiceStub async() {
        return GatewayServiceGrpc.newStub(channel).withInterceptors(headers());
    }

    /** Opens a stream that is read as fast as it comes. */
    StreamClient stream() {
        return new StreamClient(async(), Integer.MAX_VALUE);
    }

    /** Opens a stream of which only so many messages are read. */
    StreamClient streamReading(int messages) {
        return new StreamClient(async(), messages);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
