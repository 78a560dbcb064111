package palyra.shared.connection;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import palyra.api.core.ops.Finding;

/**
 * The limit of a server's connections: the configured number, and never so many that the product
 * could not open its own files any more. Thread-safe.
 */
public final class ConnectionSlots {
    private final String protocol;
    private final String pid;
    private final OptionalLong descriptors;
    private final LongUnaryOperator share;
    private volatile Finding finding; // null while the configured bound is in force

    /**
     * Creates it.
     *
     * @param protocol for people, such as {@code gRPC}
     * @param pid of the configuration that has {@code maxConnections}
     * @param descriptors that the process may have open; empty when that is not known
     * @param share of the descriptors that connections may take
     */
    public ConnectionSlots(
            String protocol, String pid, OptionalLong descriptors, LongUnaryOperator share) {
        this.protocol = protocol;
        this.pid = pid;
        this.descriptors = descriptors;
        this.share = share;
    }

    /** Returns how many connections with a credential there may be when so many are wanted. */
    public int of(int wanted) {
        if (descriptors.isEmpty()) {
            finding = null;
            return wanted;
        }
        // Connections without an accepted credential count as well.
        int strangers = ConnectionLimits.STRANGERS_SHARE;
        long all = share.applyAsLong(descriptors.getAsLong());
        long most = Math.max(1, all * strangers / (strangers + 1));
        finding = wanted > most ? tooMany(wanted, most) : null;
        return (int) Math.min(wanted, most);
    }

    private Finding tooMany(int wanted, long most) {
        return new Finding(
                Finding.Severity.WARNING,
                protocol.toLowerCase(Locale.ROOT),
                protocol
                        + " takes "
                        + most
                        + " connections and not "
                        + wanted
                        + ": the process may have "
                        + descriptors.getAsLong()
                        + " files open, and most of them are kept for files of the gateway.",
                "Raise the limit of open files (LimitNOFILE of the service, ulimit -n), or lower"
                        + " maxConnections of "
                        + pid
                        + ".");
    }

    /** Returns what an operator should know; empty while the configured bound is in force. */
    public Optional<Finding> finding() {
        return Optional.ofNullable(finding);
    }
}
