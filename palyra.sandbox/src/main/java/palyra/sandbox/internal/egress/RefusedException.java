package palyra.sandbox.internal.egress;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Something is not connected to. Stays within the package; callers outside get what it means. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final ErrorCode code;

    RefusedException(Reason reason, ErrorCode code, String message) {
        this(reason, code, message, null);
    }

    RefusedException(Reason reason, ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.code = code;
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

    PalyraException outward() {
        return new PalyraException(code, getMessage(), this);
    }
}
