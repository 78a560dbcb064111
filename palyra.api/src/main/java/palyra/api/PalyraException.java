package palyra.api;

import java.util.Objects;

/**
 * The only exception type that crosses bundle boundaries.
 *
 * <p>The message says in one or two sentences what failed, the value and the fix. It never contains
 * a secret. It is shown to users and written to the journal unchanged.
 */
public final class PalyraException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /** Creates an exception without a cause. */
    public PalyraException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /** Creates an exception; {@code cause} may be null. */
    public PalyraException(ErrorCode code, String message, Throwable cause) {
        super(Objects.requireNonNull(message, "message"), cause);
        this.code = Objects.requireNonNull(code, "code");
    }

    /** Returns why; never null. */
    public ErrorCode code() {
        return code;
    }
}
