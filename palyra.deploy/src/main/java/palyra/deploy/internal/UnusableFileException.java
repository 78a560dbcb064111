package palyra.deploy.internal;

/** A file that cannot be deployed, even when pinned. The message and the remedy are sentences. */
final class UnusableFileException extends Exception {
    private static final long serialVersionUID = 1L;
    private final String remedy;

    UnusableFileException(String message, String remedy) {
        super(message);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
