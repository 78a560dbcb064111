package palyra.deploy.internal;

/**
 * What became of a change.
 *
 * @param result in a word
 * @param message a sentence; empty when there is nothing to say
 */
record Outcome(Result result, String message) {
    /** In a word. */
    enum Result {
        /** It is as was wanted. */
        DONE,
        /** The jar did not come up; what was there before is there again. */
        ROLLED_BACK,
        /** The jar did not come up and was taken out again. */
        WITHDRAWN,
        /** The jar did not come up, and the way back did not work out either. */
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
