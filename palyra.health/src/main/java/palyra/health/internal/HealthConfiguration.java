package palyra.health.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What an operator can set. */
@ObjectClassDefinition(
        name = "Palyra health",
        description = "Health, readiness and metrics over HTTP.")
public @interface HealthConfiguration {
    /** Whether metrics need no token. */
    @AttributeDefinition(
            name = "Anonymous metrics",
            description =
                    "Whether /metrics needs no token. Counts only for callers on this machine while"
                            + " the HTTP server listens on loopback alone; everybody else always"
                            + " needs one.")
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

    /** Most connections at once. */
    @AttributeDefinition(
            name = "Most connections",
            description =
                    "Connections to the HTTP server at one time, fewer where the process may open"
                            + " too few files; for a further one the connection that was without a"
                            + " request for longest is closed.",
            min = "1",
            max = "100000",
            required = false)
    int maxConnections() default 128;
}
