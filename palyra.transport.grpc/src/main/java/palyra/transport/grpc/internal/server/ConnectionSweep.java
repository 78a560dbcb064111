package palyra.transport.grpc.internal.server;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Credential;
import palyra.transport.grpc.internal.call.Caller;

/**
 * Ends connections whose client certificate expired, was revoked, or is not vouched for any more,
 * and makes those strangers' again whose token counts no longer. For one thread.
 */
final class ConnectionSweep {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionSweep.class);

    private final InstantSource clock;

    ConnectionSweep(InstantSource clock) {
        this.clock = clock;
    }

    /** Sweeps once; each credential is looked up once, after its streams were ended. */
    void run(Connections connections) {
        connections.tidy();
        Instant now = clock.instant();
        Map<Caller.Proof, Boolean> counts = new HashMap<>();
        for (Connection connection : connections.all()) {
            Caller.Proof proof = connection.proof;
            if (!now.isBefore(connection.validUntil())) {
                end(connection, "expired at " + connection.validUntil());
            } else if (proof != null && !counts.computeIfAbsent(proof, ConnectionSweep::counts)) {
                if (isCertificate(proof)) {
                    end(connection, "is not known to access control any more");
                } else {
                    connections.distrust(connection);
                }
            }
        }
    }

    /** Ends connections whose certificate today's authorities do not vouch for. */
    void requireTrust(Connections connections, Predicate<Connection> trusted) {
        connections.all().stream()
                .filter(one -> !one.chain.isEmpty() && !trusted.test(one))
                .forEach(one -> end(one, "is not vouched for by the changed clientCaFile"));
    }

    private static boolean isCertificate(Caller.Proof proof) {
        return proof instanceof Authentication.Proof own
                && own.credential() instanceof Credential.ClientCertificate;
    }

    /**
     * While access control is not available, the connection stays open: each of its calls is
     * authorized anyway.
     */
    private static boolean counts(Caller.Proof proof) {
        try {
            proof.check();
            return true;
        } catch (PalyraException e) {
            return e.code().kind() != ErrorCode.Kind.POLICY;
        }
    }

    /** Closes gracefully first; connections still open at the next sweep are cut. */
    private static void end(Connection connection, String why) {
        if (connection.told) {
            connection.cut();
            return;
        }
        connection.told = true;
        LOG.info(
                "A gRPC connection from {} is closed: its client certificate {} {}.",
                connection.network(),
                subject(connection.chain),
                why);
        connection.close();
    }

    private static String subject(List<java.security.cert.X509Certificate> chain) {
        return chain.isEmpty() ? "" : chain.get(0).getSubjectX500Principal().getName();
    }
}
