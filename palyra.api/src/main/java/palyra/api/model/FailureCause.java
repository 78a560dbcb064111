package palyra.api.model;

/** What sort of failure ended a turn. New constants may appear in a minor version. */
public enum FailureCause {
    /** The request itself is at fault: no provider would take it. */
    BAD_REQUEST(false),
    /** The conversation is longer than the model takes. */
    CONTEXT_EXCEEDED(false),
    /** The provider refuses to speak of this. */
    CONTENT_BLOCKED(false),
    /** The credential is missing, wrong or not entitled. */
    AUTHENTICATION(true),
    /** The account has nothing left to spend. */
    QUOTA(true),
    /** Too many requests for now. */
    RATE_LIMITED(true),
    /** The server fails, or is too busy. */
    SERVER(true),
    /** It could not be reached, or the connection broke. */
    NETWORK(true),
    /** It took too long. */
    TIMEOUT(true),
    /** The answer makes no sense. */
    MALFORMED(true),
    /** It failed so often lately that it is not asked for a while. */
    CIRCUIT_OPEN(true),
    /** The provider, a secret that it needs, or the way to it is absent. */
    UNAVAILABLE(true),
    /** Policy does not let the gateway connect to it or use its secret. */
    DENIED(true),
    /** Somebody asked for it to stop. */
    CANCELLED(false),
    /** Anything else. */
    OTHER(false);

    private final boolean elsewhere;

    FailureCause(boolean elsewhere) {
        this.elsewhere = elsewhere;
    }

    /** Returns whether the same request may well succeed at another provider. */
    public boolean elsewhere() {
        return elsewhere;
    }
}
