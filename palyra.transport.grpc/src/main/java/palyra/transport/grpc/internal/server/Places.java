package palyra.transport.grpc.internal.server;

import java.util.Optional;
import java.util.OptionalLong;
import palyra.api.core.ops.Finding;
import palyra.shared.files.Descriptors;

/**
 * How many connections there may be: as many as are configured, and never so many that the product
 * could not open its own files any more. Thread-safe.
 */
final class Places {
    private final OptionalLong descriptors;
    private volatile Finding finding; // null while the configured bound is in force

    /**
     * Creates it.
     *
     * @param descriptors that the process may have open; empty when that is not known
     */
    Places(OptionalLong descriptors) {
        this.descriptors = descriptors;
    }

    static Places ofThisProcess() {
        return new Places(Descriptors.limit());
    }

    /** Returns how many connections with a credential there may be. */
    int of(ServerSettings settings) {
        int wanted = settings.connections().most();
        if (descriptors.isEmpty()) {
            finding = null;
            return wanted;
        }
        // What is let in beside them, before a credential was accepted, counts as well.
        long share = Descriptors.forGrpc(descriptors.getAsLong());
        long most =
                Math.max(
                        1, share * Connections.STRANGERS_SHARE / (Connections.STRANGERS_SHARE + 1));
        finding = wanted > most ? tooMany(wanted, most) : null;
        return (int) Math.min(wanted, most);
    }

    private Finding tooMany(int wanted, long most) {
        return new Finding(
                Finding.Severity.WARNING,
                "grpc",
                "gRPC takes "
                        + most
                        + " connections and not "
                        + wanted
                        + ": the process may have "
                        + descriptors.getAsLong()
                        + " files open, and most of them are kept for files of the gateway.",
                "Raise the limit of open files (LimitNOFILE of the service, ulimit -n), or lower"
                        + " maxConnections of "
                        + GrpcConfiguration.PID
                        + ".");
    }

    Optional<Finding> finding() {
        return Optional.ofNullable(finding);
    }
}
