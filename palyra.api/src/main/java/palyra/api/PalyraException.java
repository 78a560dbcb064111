package palyra.api;

import java.util.Objects;

/**
 * The one exception that crosses a bundle.
 *
 * <p>The message is one sentence for a person: what was asked, what was found, what to do. It never
 * holds a secret. It is shown to users and written to the journal as it is.
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
