package palyra.sandbox.internal.canary;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** A sandbox could not be tested, for a reason that says nothing about it. */
final class UntestableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /**
     * @param reason a clause that names the cause and the remedy
     */
    UntestableException(ErrorCode code, String reason, Throwable cause) {
        super("It could not be tested: " + reason + ". It is tested again automatically.", cause);
        this.code = code;
    }

    /** Returns it as who asked for the test gets it. */
    PalyraException refusal() {
        return new PalyraException(code, getMessage(), this);
    }
}
