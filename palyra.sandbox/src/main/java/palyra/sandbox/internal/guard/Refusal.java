package palyra.sandbox.internal.guard;

/** Ends an examination; never leaves this package. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 120;

    private final String reasonCode;

    Refusal(String reasonCode, String reason) {
        super(reason, null, false, false); // no stack trace: this is an answer, not a failure
        this.reasonCode = reasonCode;
    }

    String reasonCode() {
        return reasonCode;
    }

    /** A text from outside as it may stand in a sentence: short, and without control characters. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(SHOWN)
                .map(c -> Character.isISOControl(c) || isHalf(c) ? '\uFFFD' : c)
                .forEach(shown::appendCodePoint);
        return text.codePointCount(0, text.length()) > SHOWN ? shown + "…" : shown.toString();
    }

    private static boolean isHalf(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
