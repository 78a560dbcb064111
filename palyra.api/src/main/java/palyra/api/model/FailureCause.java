package palyra.api.model;

/** The kind of failure that ended a turn. New constants may appear in a minor version. */
public enum FailureCause {
    /** The request is invalid for every provider. */
    BAD_REQUEST(false),
    /** The conversation is longer than the model takes. */
    CONTEXT_EXCEEDED(false),
    /** The provider refuses the content. */
    CONTENT_BLOCKED(false),
    /** The credential is missing, wrong or not entitled. */
    AUTHENTICATION(true),
    /** The account's quota is used up. */
    QUOTA(true),
    /** Too many requests in a short time. */
    RATE_LIMITED(true),
    /** The server failed or is overloaded. */
    SERVER(true),
    /** The server could not be reached, or the connection broke. */
    NETWORK(true),
    /** The turn timed out. */
    TIMEOUT(true),
    /** The response could not be parsed. */
    MALFORMED(true),
    /** The circuit breaker is open after repeated failures. */
    CIRCUIT_OPEN(true),
    /** The provider, its secret or its egress is not available. */
    UNAVAILABLE(true),
    /** Policy denies the connection or the use of the secret. */
    DENIED(true),
    /** The turn was cancelled. */
    CANCELLED(false),
    /** Anything else. */
    OTHER(false);

    private final boolean elsewhere;

    FailureCause(boolean elsewhere) {
        this.elsewhere = elsewhere;
    }

    /** Returns whether the same request may succeed at another provider. */
    public boolean elsewhere() {
        return elsewhere;
    }
}
