package palyra.shell.internal.host;

import static java.util.stream.Collectors.joining;

/** How many columns text takes on a terminal. */
final class DisplayWidth {
    /** Ranges that take two columns, as pairs of first and last (East Asian Wide, emoji). */
    private static final int[] WIDE = {
        0x1100, 0x115F, 0x2E80, 0x303E, 0x3041, 0xA4CF, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30,
        0xFE6F, 0xFF00, 0xFF60, 0xFFE0, 0xFFE6, 0x1F300, 0x1F64F, 0x1F680, 0x1F6FF, 0x1F900,
        0x1F9FF, 0x20000, 0x3FFFD
    };

    private static final int LEAST_TO_WRAP = 20;

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
     * Returns {@code text} with its lines broken between words where they are wider than {@code
     * columns}; a word that is wider itself stays whole, and so do all lines when there is no room
     * for a few words.
     *
     * @param indent what the lines begin with that come from a break, after the line's own blanks
     */
    static String wrap(String text, int columns, String indent) {
        if (columns < LEAST_TO_WRAP || of(text) <= columns) {
            return text;
        }
        return text.lines().map(line -> wrapLine(line, columns, indent)).collect(joining("\n"));
    }

    private static String wrapLine(String line, int columns, String indent) {
        if (of(line) <= columns) {
            return line;
        }
        String blanks = line.substring(0, line.length() - line.stripLeading().length());
        StringBuilder out = new StringBuilder();
        int used = 0;
        for (String word : line.stripLeading().split("(?<= )(?=[^ ])")) {
            int width = of(word.stripTrailing());
            boolean breaks = used > 0 && used + width > columns;
            if (used == 0 || breaks) {
                String start = breaks ? blanks + indent : blanks;
                out.append(breaks ? "\n" : "").append(start);
                used = of(start);
            }
            out.append(word);
            used += of(word);
        }
        return out.toString().replaceAll(" +\n", "\n").stripTrailing();
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
