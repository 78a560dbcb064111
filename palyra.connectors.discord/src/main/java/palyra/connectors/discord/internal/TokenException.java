package palyra.connectors.discord.internal;

/** The bot's token cannot be used. The message says what to do about it; it has no secret. */
final class TokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String digest;

    /**
     * Creates it.
     *
     * @param digest digest of the token; empty without a token
     */
    TokenException(String message, String digest) {
        super(message);
        this.digest = digest;
    }

    /** Returns the digest of the token, to notice another one; empty without a token. */
    String digest() {
        return digest;
    }
}
