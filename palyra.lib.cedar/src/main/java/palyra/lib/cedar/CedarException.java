package palyra.lib.cedar;

import java.util.Objects;

/**
 * The engine gave no answer. The message is a sentence for a person and holds nothing of a request.
 */
public final class CedarException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why there is no answer; more may be added. */
    public enum Reason {
        /** There is no native library for this machine, or the service has stopped. */
        UNAVAILABLE,
        /** Too many calls wait, or too many policy sets are prepared. */
        BUSY,
        /** The deadline passed before the answer came. */
        TIMED_OUT,
        /** The caller was interrupted; its flag is set. */
        INTERRUPTED,
        /** The request is malformed, too large or not permitted. */
        REFUSED,
        /** The policy set was closed. */
        CLOSED,
        /** The engine failed, or its answer makes no sense. */
        FAILED
    }

    private final Reason reason;

    /** Creates an exception. */
    public CedarException(Reason reason, String message) {
        super(Objects.requireNonNull(message, "message"));
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /** Returns why; never null. */
    public Reason reason() {
        return reason;
    }
}
