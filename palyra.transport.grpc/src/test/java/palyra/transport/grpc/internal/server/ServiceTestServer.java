package palyra.transport.grpc.internal.server;

import io.grpc.BindableService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import palyra.shared.connection.ConnectionSlots;
import palyra.shared.files.Descriptors;
import palyra.transport.grpc.internal.Seams;

/** The real server on a free port of loopback, for tests of services. */
public final class ServiceTestServer implements AutoCloseable {
    private final GrpcServer server;

    private ServiceTestServer(GrpcServer server) {
        this.server = server;
    }

    /** Starts one that asks {@code seams} who is calling. */
    public static ServiceTestServer start(Seams seams, BindableService... services) {
        ServerSettings settings =
                new ServerSettings(
                        "127.0.0.1",
                        0,
                        Optional.empty(),
                        4 * 1_048_576,
                        new ServerSettings.ConnectionSettings(64, 256, 20, 60, 20, 10, 600),
                        new ServerSettings.Shares(64, 64, 1_000, 30),
                        100,
                        30);
        GrpcServer.Parts parts =
                new GrpcServer.Parts(
                        List.of(services),
                        new Authentication(
                                seams.access(),
                                new SignInLimiter(100, System::currentTimeMillis),
                                InstantSource.system()),
                        new CallCounts(),
                        seams.streams(),
                        new ConnectionSlots(
                                "gRPC",
                                GrpcConfiguration.PID,
                                OptionalLong.empty(),
                                Descriptors::forGrpc),
                        System::currentTimeMillis);
        BindAddress address = BindAddress.of("127.0.0.1", 0, false, InetAddress::getAllByName);
        return new ServiceTestServer(GrpcServer.start(settings, address, parts, () -> true));
    }

    /** Returns where it listens. */
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
    }
}
