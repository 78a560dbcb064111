package palyra.transport.grpc.internal.server;

import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;

/**
 * Starts servers as configured. When any free port is allowed, it takes the one that clients know
 * from before, unless another process has it by now. For one thread at a time.
 */
final class ServerStart {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStart.class);

    private final Supplier<GrpcServer.Parts> parts;
    private final Optional<PortMemory> memory;
    private volatile Finding moved; // null while clients find the server where they know it

    /**
     * Creates a starter.
     *
     * @param parts of a server, made again for each server
     * @param memory empty when nothing outlives this object
     */
    ServerStart(Supplier<GrpcServer.Parts> parts, Optional<PortMemory> memory) {
        this.parts = parts;
        this.memory = memory;
    }

    /** Starts a server; throws as {@link GrpcServer#start} and {@link BindAddress#of} do. */
    GrpcServer start(ServerSettings settings, BooleanSupplier ready) {
        if (settings.port() != 0) {
            moved = null;
            return at(settings.port(), settings, ready);
        }
        OptionalInt known = memory.map(PortMemory::port).orElse(OptionalInt.empty());
        if (known.isPresent()) {
            try {
                return at(known.getAsInt(), settings, ready);
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CONFLICT) {
                    throw e;
                }
            }
        }
        GrpcServer server = at(0, settings, ready);
        int port = server.address().getPort();
        memory.ifPresent(file -> file.keep(port));
        known.ifPresent(before -> sayMoved(before, port));
        return server;
    }

    private GrpcServer at(int port, ServerSettings settings, BooleanSupplier ready) {
        BindAddress address =
                BindAddress.of(
                        settings.host(),
                        port,
                        settings.tls().isPresent(),
                        InetAddress::getAllByName);
        return GrpcServer.start(settings, address, parts.get(), ready);
    }

    private void sayMoved(int before, int now) {
        moved =
                new Finding(
                        Finding.Severity.WARNING,
                        "grpc",
                        "gRPC listens on port "
                                + now
                                + " and not on port "
                                + before
                                + " as before: another process has taken that one meanwhile.",
                        "Point clients at the port that palyra status shows, or set port of "
                                + GrpcConfiguration.PID
                                + ".");
        LOG.warn("{}", moved.message());
    }

    /** Returns that clients must look for the server elsewhere, when they must. */
    Optional<Finding> finding() {
        return Optional.ofNullable(moved);
    }
}
