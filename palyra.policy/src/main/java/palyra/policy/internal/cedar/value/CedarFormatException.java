package palyra.policy.internal.cedar.value;

/** A policy, a schema, an entity or a request is not in the form it must have. Says where. */
public final class CedarFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CedarFormatException(String message) {
        super(message);
    }

    /** The same complaint with the place in front of it. */
    public CedarFormatException at(String place) {
        CedarFormatException located = new CedarFormatException(place + ": " + getMessage());
        located.initCause(getCause());
        return located;
    }
}
