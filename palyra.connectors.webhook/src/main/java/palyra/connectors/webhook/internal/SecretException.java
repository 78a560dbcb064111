package palyra.connectors.webhook.internal;

/** A signing secret cannot be used. The message says what to do about it; it has no secret. */
final class SecretException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SecretException(String message) {
        super(message);
    }
}
