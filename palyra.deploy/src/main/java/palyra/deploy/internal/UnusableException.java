package palyra.deploy.internal;

/** A file that cannot be taken whatever is pinned. The message and the remedy are sentences. */
final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;
    private final String remedy;

    UnusableException(String message, String remedy) {
        super(message);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
