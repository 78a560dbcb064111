package palyra.gateway.internal.engine.turn;

/** Shortens a text in its middle and says so in its place. Pure. */
final class TextShortener {
    /** Room for the marker, in characters. */
    private static final int MARKER = 64;

    private TextShortener() {}

    /**
     * Returns a text of about {@code chars} characters: two thirds of its beginning, and its end.
     */
    static String to(String text, int chars) {
        if (text.length() <= chars) {
            return text;
        }
        int room = Math.max(0, chars - MARKER);
        int head = whole(text, room * 2 / 3);
        int tail = whole(text, text.length() - (room - room * 2 / 3));
        if (head >= tail) {
            return text;
        }
        return text.substring(0, head)
                + "\n[… "
                + (tail - head)
                + " characters left out …]\n"
                + text.substring(tail);
    }

    /** Returns the place, moved back by one when it would split a code point. */
    private static int whole(String text, int at) {
        boolean splits =
                at > 0
                        && at < text.length()
                        && Character.isLowSurrogate(text.charAt(at))
                        && Character.isHighSurrogate(text.charAt(at - 1));
        return splits ? at - 1 : at;
    }
}
