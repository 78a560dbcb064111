package palyra.lib.cedar.internal.text;

/**
 * A piece of a text in Cedar's policy or schema language.
 *
 * @param kind what it is
 * @param start where it begins, in chars
 * @param end where it ends
 * @param text its text; of strings and comments empty, to save room
 */
public record Token(Kind kind, int start, int end, String text) {
    /** What a token is. */
    public enum Kind {
        /** A name or keyword. */
        WORD,
        /** Digits. */
        NUMBER,
        /** A string literal, or the rest of the text when it is not closed. */
        STRING,
        /** A comment up to the end of its line. */
        COMMENT,
        /** An operator, a bracket, a separator, or a character that Cedar does not know. */
        SIGN
    }

    boolean is(String expected) {
        return text.equals(expected) && (kind == Kind.WORD || kind == Kind.SIGN);
    }
}
