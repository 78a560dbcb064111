package palyra.shared.schema;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A text that lets itself be looked at so often and no more: a pattern that would try for hours
 * ends with a refusal, after the same number of steps on every machine. For one thread.
 */
final class BoundedText implements CharSequence {
    private final CharSequence text;
    private final int[] left;

    BoundedText(CharSequence text, int steps) {
        this(text, new int[] {steps});
    }

    private BoundedText(CharSequence text, int[] left) {
        this.text = text;
        this.left = left;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (--left[0] < 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a pattern of the schema takes too many steps on this text; send a shorter one");
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new BoundedText(text.subSequence(start, end), left);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
