package palyra.lib.cedar.internal.json;

/** A text is not the JSON that is accepted. The message holds nothing of the text. */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int offset;

    JsonException(int offset, String message) {
        super(message);
        this.offset = offset;
    }

    /** Returns where, in chars. */
    public int offset() {
        return offset;
    }
}
