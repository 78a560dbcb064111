package palyra.api.core.egress;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Sends HTTP requests to the world outside: for tools, connectors, models. Policy decides on every
 * connection, every resolved address is checked and the checked one is connected to, redirects are
 * checked again, each connection is an event of the journal. Thread-safe; calls block.
 */
@ProviderType
public interface EgressClient {
    /**
     * Sends a request and returns the response, whose body the caller closes. Interrupting the
     * thread cuts the connection.
     *
     * @throws palyra.api.PalyraException DENIED with the host and the reason; INVALID_ARGUMENT when
     *     the URL or a header is not usable; TIMED_OUT; TOOL_UNAVAILABLE when the host cannot be
     *     found or reached; OUTCOME_UNKNOWN when a request that may change something, such as a
     *     POST, was sent and its answer did not come; RESOURCE_EXHAUSTED when the answer is larger
     *     than asked for
     */
    EgressResponse send(EgressRequest request);
}
