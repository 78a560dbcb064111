package palyra.shell.internal.host;

/** How many columns text takes on a terminal. */
final class DisplayWidth {
    /** Ranges that take two columns, as pairs of first and last (East Asian Wide, emoji). */
    private static final int[] WIDE = {
        0x1100, 0x115F, 0x2E80, 0x303E, 0x3041, 0xA4CF, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30,
        0xFE6F, 0xFF00, 0xFF60, 0xFFE0, 0xFFE6, 0x1F300, 0x1F64F, 0x1F680, 0x1F6FF, 0x1F900,
        0x1F9FF, 0x20000, 0x3FFFD
    };

    private DisplayWidth() {}

    static int of(String text) {
        return text.codePoints().map(DisplayWidth::of).sum();
    }

    private static int of(int codePoint) {
        if (codePoint < 0x300) {
            return 1;
        }
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK
                || type == Character.ENCLOSING_MARK
                || type == Character.FORMAT) {
            return 0;
        }
        for (int i = 0; i < WIDE.length; i += 2) {
            if (codePoint >= WIDE[i] && codePoint <= WIDE[i + 1]) {
                return 2;
            }
        }
        return 1;
    }

    /**
     * Returns {@code text}, cut to {@code columns} with an ellipsis at its end when it is wider.
     */
    static String cut(String text, int columns) {
        if (of(text) <= columns) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        int used = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            int width = of(codePoint);
            if (used + width > columns - 1) {
                break;
            }
            out.appendCodePoint(codePoint);
            used += width;
            i += Character.charCount(codePoint);
        }
        return out.append('…').toString();
    }
}
