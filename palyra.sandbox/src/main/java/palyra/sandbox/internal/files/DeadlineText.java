package palyra.sandbox.internal.files;

/**
 * A text that ends a search which takes too long: a regular expression can need exponential time,
 * and asks for a character at each step.
 */
final class DeadlineText implements CharSequence {
    private static final int LOOK_EVERY = 4_096;

    private final CharSequence text;
    private final long deadlineNanos;
    private int reads;

    /** Creates; {@code deadlineNanos} is a value of {@link System#nanoTime}. */
    DeadlineText(CharSequence text, long deadlineNanos) {
        this.text = text;
        this.deadlineNanos = deadlineNanos;
    }

    /** The deadline passed, or the thread was interrupted. */
    static final class OutOfTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfTime() {
            super("out of time", null, false, false);
        }
    }

    @Override
    public char charAt(int index) {
        if (++reads % LOOK_EVERY == 0) {
            look(deadlineNanos);
        }
        return text.charAt(index);
    }

    /** Throws when there is no time left. */
    static void look(long deadlineNanos) {
        if (System.nanoTime() - deadlineNanos > 0 || Thread.currentThread().isInterrupted()) {
            throw new OutOfTime();
        }
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new DeadlineText(text.subSequence(start, end), deadlineNanos);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
