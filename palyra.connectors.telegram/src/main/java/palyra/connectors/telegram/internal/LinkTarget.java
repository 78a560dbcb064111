package palyra.connectors.telegram.internal;

/**
 * What follows the label of a link (CommonMark 0.31, section 6.3). Pure.
 *
 * @param address where the link leads; may be empty
 * @param end behind the closing parenthesis
 */
record LinkTarget(String address, int end) {
    /** Reads the target that begins here with a parenthesis; null without a target. */
    static LinkTarget at(String text, int begin) {
        if (begin >= text.length() || text.charAt(begin) != '(') {
            return null;
        }
        int from = blanksEnd(text, begin + 1);
        boolean angled = from < text.length() && text.charAt(from) == '<';
        StringBuilder address = new StringBuilder();
        int end = angled ? angled(text, from + 1, address) : bare(text, from, address);
        end = end < 0 ? -1 : titleEnd(text, end);
        boolean closed = end >= 0 && end < text.length() && text.charAt(end) == ')';
        return closed ? new LinkTarget(address.toString(), end + 1) : null;
    }

    private static int blanksEnd(String text, int from) {
        int end = from;
        while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\n')) {
            end++;
        }
        return end;
    }

    private static int angled(String text, int from, StringBuilder address) {
        for (int i = from; i < text.length() && text.charAt(i) != '\n'; i++) {
            if (text.charAt(i) == '>') {
                return i + 1;
            }
            address.append(text.charAt(i));
        }
        return -1;
    }

    /** An address without angles may have pairs of parentheses. */
    private static int bare(String text, int from, StringBuilder address) {
        int nested = 0;
        int i = from;
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ' ' || Character.isISOControl(c) || (c == ')' && nested == 0)) {
                break;
            }
            boolean escaped = c == '\\' && i + 1 < text.length() && isMark(text.charAt(i + 1));
            nested += c == '(' ? 1 : c == ')' ? -1 : 0;
            address.append(escaped ? text.charAt(++i) : c);
        }
        return nested == 0 ? i : -1;
    }

    private static boolean isMark(char c) {
        return c > ' ' && c < 0x7f && !Character.isLetterOrDigit(c);
    }

    /** Skips blanks and a title, which Telegram has no place for. */
    private static int titleEnd(String text, int from) {
        int at = blanksEnd(text, from);
        boolean title = at > from && at < text.length() && "\"'".indexOf(text.charAt(at)) >= 0;
        int close = title ? text.indexOf(text.charAt(at), at + 1) : -1;
        return title ? (close < 0 ? -1 : blanksEnd(text, close + 1)) : at;
    }
}
