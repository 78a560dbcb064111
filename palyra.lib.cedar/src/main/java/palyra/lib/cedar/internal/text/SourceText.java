package palyra.lib.cedar.internal.text;

import java.util.Arrays;

/**
 * A text with lines. Offsets count chars; columns and lengths that leave this class, code points.
 */
public final class SourceText {
    private static final int LINE_LIMIT = 240;

    private final String file;
    private final String text;
    private final int[] lineStarts;

    /** Finds the lines: they end with LF, CR LF or CR. */
    public SourceText(String file, String text) {
        this.file = file;
        this.text = text;
        this.lineStarts = lineStarts(text);
    }

    private static int[] lineStarts(String text) {
        int[] starts = new int[16];
        int count = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean crBeforeLf = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if ((c == '\n' || c == '\r') && !crBeforeLf) {
                starts = count < starts.length ? starts : Arrays.copyOf(starts, count * 2);
                starts[count++] = i + 1;
            }
        }
        return Arrays.copyOf(starts, count);
    }

    /** Returns the name of the file. */
    public String file() {
        return file;
    }

    /** Returns the whole text. */
    public String text() {
        return text;
    }

    /** Returns the line of a place, from 1. */
    public int line(int offset) {
        int found = Arrays.binarySearch(lineStarts, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /** Returns the column of a place in code points, from 1. */
    public int column(int offset) {
        return text.codePointCount(lineStarts[line(offset) - 1], offset) + 1;
    }

    /** Returns how many code points lie between two places. */
    public int length(int start, int end) {
        return text.codePointCount(start, end);
    }

    /** Returns the place so many UTF-8 bytes after {@code start}, at most {@code end}. */
    public int afterBytes(int start, int end, long bytes) {
        int offset = start;
        long left = bytes;
        while (offset < end) {
            int codePoint = text.codePointAt(offset);
            left -= utf8Length(codePoint);
            if (left < 0) {
                return offset;
            }
            offset += Character.charCount(codePoint);
        }
        return end;
    }

    private static int utf8Length(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x10000 ? 3 : 4;
    }

    /** Returns the line of a place and the carets below it, both ready to print. */
    public Excerpt excerpt(int start, int end) {
        int line = line(start);
        int lineStart = lineStarts[line - 1];
        int lineEnd = lineEnd(line);
        int from = back(start, lineStart, LINE_LIMIT / 2);
        int to = ahead(start, lineEnd, LINE_LIMIT / 2);
        StringBuilder carets = new StringBuilder();
        text.substring(from, Math.min(start, to))
                .codePoints()
                .forEach(c -> carets.append(c == '\t' ? '\t' : ' '));
        int covered =
                text.codePointCount(
                        Math.min(start, to), Math.clamp(end, start, Math.max(start, to)));
        carets.repeat('^', Math.max(1, covered));
        return new Excerpt(printable(text.substring(from, to)), carets.toString());
    }

    private int lineEnd(int line) {
        int end = line < lineStarts.length ? lineStarts[line] : text.length();
        while (end > lineStarts[line - 1]
                && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
            end--;
        }
        return end;
    }

    private int back(int offset, int limit, int codePoints) {
        int reach = text.codePointCount(limit, offset);
        return reach <= codePoints ? limit : text.offsetByCodePoints(offset, -codePoints);
    }

    private int ahead(int offset, int limit, int codePoints) {
        if (offset >= limit) {
            return limit;
        }
        int reach = text.codePointCount(offset, limit);
        return reach <= codePoints ? limit : text.offsetByCodePoints(offset, codePoints);
    }

    /** Returns a text without characters that would move a terminal's cursor or colours. */
    public static String printable(String shown) {
        StringBuilder clean = new StringBuilder(shown.length());
        shown.codePoints().forEach(c -> clean.appendCodePoint(harmless(c) ? c : 0xFFFD));
        return clean.toString();
    }

    private static boolean harmless(int codePoint) {
        int type = Character.getType(codePoint);
        return codePoint == '\t'
                || (type != Character.CONTROL
                        && type != Character.FORMAT
                        && type != Character.LINE_SEPARATOR
                        && type != Character.PARAGRAPH_SEPARATOR
                        && type != Character.SURROGATE);
    }

    /**
     * A line for a person.
     *
     * @param line the line, shortened around the place
     * @param carets what to print below it
     */
    public record Excerpt(String line, String carets) {}
}
