package palyra.health.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of health, readiness and metrics. */
@ObjectClassDefinition(
        name = "Palyra health",
        description = "Health, readiness and metrics over HTTP.")
public @interface HealthConfiguration {
    /** Whether metrics need no token. */
    @AttributeDefinition(
            name = "Anonymous metrics",
            description =
                    "Whether /metrics needs no token. Counts only for callers on this machine while"
                            + " the HTTP server listens on loopback only; any other caller needs a"
                            + " token.")
    boolean anonymousMetrics() default true;

    /** Host names that requests may carry. */
    @AttributeDefinition(
            name = "Allowed hosts",
            description =
                    "Host names, without port, that a request may be addressed to, besides"
                            + " localhost and addresses. Guards against DNS rebinding.",
            required = false)
    String[] allowedHosts() default {};

    /** Most requests at once. */
    @AttributeDefinition(
            name = "Concurrent requests",
            description = "Most requests that each of the three addresses answers at a time.",
            min = "1",
            max = "256")
    int maxConcurrentRequests() default 16;

    /** Most connections with a credential at once. */
    @AttributeDefinition(
            name = "Most connections",
            description =
                    "Connections to the HTTP server at one time on which a token was accepted;"
                            + " fewer where the process may open too few files.",
            min = "1",
            max = "100000",
            required = false)
    int maxConnections() default 128;

    /** Most connections without a credential from one address. */
    @AttributeDefinition(
            name = "Most connections of an address",
            description =
                    "Connections of one address (IPv6: of one /64) on which no token was accepted"
                            + " yet; for a further one its least recently used one is closed.",
            min = "1",
            max = "100000",
            required = false)
    int maxConnectionsPerAddress() default 32;

    /** Most connections of one credential. */
    @AttributeDefinition(
            name = "Most connections of a token",
            description =
                    "Connections of one token; for a further one its least recently used idle one"
                            + " is closed.",
            min = "1",
            max = "100000",
            required = false)
    int maxConnectionsPerCredential() default 32;

    /** Idle time of connections without a credential. */
    @AttributeDefinition(
            name = "Seconds without a request",
            description =
                    "Seconds that a connection may be without a request while no token was accepted"
                            + " on it.",
            min = "1",
            max = "3600",
            required = false)
    int unauthenticatedSeconds() default 30;
}
