package palyra.access.internal.passkey;

/** An authenticator's answer that is not accepted, and why; the person is told less. */
public final class PasskeyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PasskeyException(String message) {
        super(message);
    }

    PasskeyException(String message, Throwable cause) {
        super(message, cause);
    }
}
