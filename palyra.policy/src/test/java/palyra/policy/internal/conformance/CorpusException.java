package palyra.policy.internal.conformance;

/** A corpus that cannot be run. The message is a sentence for a person. */
public final class CorpusException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorpusException(String message) {
        super(message);
    }

    CorpusException(String message, Throwable cause) {
        super(message, cause);
    }
}
