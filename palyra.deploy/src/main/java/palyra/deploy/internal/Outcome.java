package palyra.deploy.internal;

/**
 * Outcome of a change.
 *
 * @param result the result
 * @param message a sentence; may be empty
 */
record Outcome(Result result, String message) {
    /** In a word. */
    enum Result {
        /** The change was made. */
        DONE,
        /** The jar did not start; the previous bundle was restored. */
        ROLLED_BACK,
        /** The jar did not start and was uninstalled. */
        WITHDRAWN,
        /** The jar did not start, and the rollback failed. */
        FAILED
    }

    private static final int LONGEST = 1_000;

    /** A message may quote a bundle, so it is made printable and kept short. */
    Outcome {
        String plain = message.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
        message = plain.length() > LONGEST ? plain.substring(0, LONGEST) + "…" : plain;
    }

    static Outcome done() {
        return new Outcome(Result.DONE, "");
    }

    boolean isDone() {
        return result == Result.DONE;
    }
}
