package palyra.sandbox.internal.egress;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressContext;

/**
 * Something is not connected to. Stays within the package; callers outside get what it means. The
 * message is the operator's: it goes into the journal, and may name addresses of the inside. What a
 * tool tells a model is {@link #shown}, which never does.
 */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final ErrorCode code;
    private final String shown;

    RefusedException(Reason reason, ErrorCode code, String message) {
        this(reason, code, message, null);
    }

    RefusedException(Reason reason, ErrorCode code, String message, Throwable cause) {
        this(reason, code, message, message, cause);
    }

    /**
     * Creates it.
     *
     * @param message for the operator
     * @param shown for a model and the commands that it starts: names no resolved address
     * @param cause may be null
     */
    RefusedException(Reason reason, ErrorCode code, String message, String shown, Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.code = code;
        this.shown = shown;
    }

    static RefusedException denied(Reason reason, String message) {
        return new RefusedException(reason, ErrorCode.DENIED, message);
    }

    static RefusedException unusable(Reason reason, String message) {
        return new RefusedException(reason, ErrorCode.INVALID_ARGUMENT, message);
    }

    Reason reason() {
        return reason;
    }

    ErrorCode code() {
        return code;
    }

    /** Returns the sentence for a model and the commands that it starts. */
    String shown() {
        return shown;
    }

    /** Returns it for the operator. */
    PalyraException forCaller() {
        return new PalyraException(code, getMessage(), this);
    }

    /**
     * Returns it as the caller may see it. A model reads the messages of a tool call, so they hold
     * no resolved address, and the cause, which has the operator's message, is left out.
     */
    PalyraException forCaller(EgressContext caller) {
        return caller.callId().isEmpty() ? forCaller() : new PalyraException(code, shown);
    }
}
