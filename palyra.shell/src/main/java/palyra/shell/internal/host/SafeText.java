package palyra.shell.internal.host;

/**
 * Makes text harmless for terminals: control characters, and characters that turn the direction of
 * writing, are shown instead of obeyed. What a model, a message or another user wrote must not move
 * an operator's cursor.
 */
final class SafeText {
    private static final int FIRST_CONTROL_PICTURE = 0x2400;

    private SafeText() {}

    /** Returns {@code text} with line ends and tabs kept. */
    static String block(String text) {
        return clean(text, true);
    }

    /** Returns {@code text} as one line. */
    static String line(String text) {
        return clean(text, false);
    }

    private static String clean(String text, boolean keepLayout) {
        int i = 0;
        while (i < text.length() && harmless(text.charAt(i), keepLayout)) {
            i++;
        }
        if (i == text.length()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length()).append(text, 0, i);
        for (; i < text.length(); i++) {
            append(text.charAt(i), keepLayout, out);
        }
        return out.toString();
    }

    private static void append(char c, boolean keepLayout, StringBuilder out) {
        if (harmless(c, keepLayout)) {
            out.append(c);
        } else if (c == '\t' || c == '\n' || c == '\r') {
            out.append(c == '\n' ? '⏎' : ' ');
        } else if (c < 0x20) {
            out.append((char) (FIRST_CONTROL_PICTURE + c));
        } else {
            out.append('\uFFFD');
        }
    }

    private static boolean harmless(char c, boolean keepLayout) {
        if (c == '\n' || c == '\t') {
            return keepLayout;
        }
        boolean control = c < 0x20 || (c >= 0x7F && c < 0xA0);
        boolean direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        return !control && !direction;
    }
}
