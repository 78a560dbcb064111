package palyra.shared.model;

/**
 * Names of the state that a model provider reports. It offers it as a service {@code
 * Supplier<Map<String, String>>}, a type of the JDK, so that bundles share no class for it.
 */
public final class ProviderState {
    /** Service property: id of the provider whose state the {@code Supplier} returns. */
    public static final String SERVICE_PROPERTY = "palyra.model.state.of";

    /** Key: {@code closed}, {@code open} or {@code half-open}. */
    public static final String CIRCUIT = "circuit";

    /** Key: until when the circuit is open, ISO 8601 in UTC; absent unless it is open. */
    public static final String OPEN_UNTIL = "openUntil";

    /** Key: cause of the last failure; absent before the first failure. */
    public static final String FAILURE = "failure";

    /** Key: time of the last failure, ISO 8601 in UTC; absent before the first failure. */
    public static final String FAILED_AT = "failedAt";

    private ProviderState() {}
}
