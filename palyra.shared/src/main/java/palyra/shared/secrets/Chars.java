package palyra.shared.secrets;

/** Sets of characters, and where words begin. Pure functions. */
final class Chars {
    private static final int ASCII = 128;

    private Chars() {}

    /**
     * Returns a set of ASCII characters by its letter.
     *
     * <ul>
     *   <li>B: letters and digits; U: those and {@code - _}; b: base64 with {@code + / =}
     *   <li>H: lower-case hex; X: hex; D: digits
     *   <li>A: upper-case and digits; a: lower-case and digits
     *   <li>T: what a bearer token may hold, RFC 6750; Z: upper-case letters
     *   <li>w: base64 over several lines; q: T and {@code ! $ % * @ #}; f: b and {@code . _ -}
     *   <li>v: anything that is seen but quotes, comma, semicolon, angle brackets, backslash
     * </ul>
     */
    static boolean[] set(char letter) {
        return switch (letter) {
            case 'B' -> of("az", "AZ", "09");
            case 'U' -> of("az", "AZ", "09", "--", "__");
            case 'b' -> of("az", "AZ", "09", "++", "//", "==");
            case 'H' -> of("af", "09");
            case 'X' -> of("af", "AF", "09");
            case 'D' -> of("09");
            case 'A' -> of("AZ", "09");
            case 'a' -> of("az", "09");
            case 'Z' -> of("AZ");
            case 'T' -> of("az", "AZ", "09", "..", "__", "~~", "++", "//", "==", "--");
            case 'w' -> of("az", "AZ", "09", "++", "//", "==", "\r\r", "\n\n");
            case 'q' ->
                    of(
                            "az", "AZ", "09", "..", "__", "~~", "++", "//", "==", "--", "!!", "$$",
                            "%%", "**", "@@", "##");
            case 'f' -> of("az", "AZ", "09", "++", "//", "==", "..", "__", "--");
            case 'v' -> of("!!", "#&", "(+", "-:", "==", "?[", "]_", "a~"); // not " ' , ; < > \ `
            default -> throw new IllegalArgumentException("no set of characters " + letter);
        };
    }

    private static boolean[] of(String... ranges) {
        boolean[] set = new boolean[ASCII];
        for (String range : ranges) {
            for (char c = range.charAt(0); c <= range.charAt(1); c++) {
                set[c] = true;
            }
        }
        return set;
    }

    static boolean in(boolean[] set, char c) {
        return c < ASCII && set[c];
    }

    static boolean isWord(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private static boolean isHex(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
    }

    /**
     * Returns whether a word may begin at {@code at}: no letter or digit precedes it, unless that
     * belongs to an escape such as {@code \n} or {@code %3D}.
     */
    static boolean begins(CharSequence text, int at) {
        if (at == 0 || !isWord(text.charAt(at - 1))) {
            return true;
        }
        char last = text.charAt(at - 1);
        boolean escaped = at >= 2 && text.charAt(at - 2) == '\\' && "nrt".indexOf(last) >= 0;
        boolean percent =
                at >= 3 && text.charAt(at - 3) == '%' && isHex(text.charAt(at - 2)) && isHex(last);
        return escaped || percent;
    }

    /** The same, and no {@code - _ .} precedes it either. */
    static boolean beginsAlone(CharSequence text, int at) {
        return begins(text, at) && (at == 0 || "-_.".indexOf(text.charAt(at - 1)) < 0);
    }

    static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
    }
}
