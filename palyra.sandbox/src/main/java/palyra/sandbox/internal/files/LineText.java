package palyra.sandbox.internal.files;

import java.util.ArrayList;
import java.util.List;

/**
 * A text as lines, each with the bytes that end it: {@code "\n"}, {@code "\r\n"}, or nothing at the
 * end of a text that does not end with a newline. Texts are bytes read as ISO 8859-1, so that every
 * file of any encoding is written back unchanged.
 *
 * @param text the line
 * @param end what ends it
 */
record LineText(String text, String end) {
    /** Splits a text. */
    static List<LineText> lines(String all) {
        List<LineText> lines = new ArrayList<>();
        int from = 0;
        while (from < all.length()) {
            int newline = all.indexOf('\n', from);
            if (newline < 0) {
                lines.add(new LineText(all.substring(from), ""));
                break;
            }
            boolean crlf = newline > from && all.charAt(newline - 1) == '\r';
            int end = crlf ? newline - 1 : newline;
            lines.add(new LineText(all.substring(from, end), crlf ? "\r\n" : "\n"));
            from = newline + 1;
        }
        return lines;
    }

    /** Puts lines together again. */
    static String joined(List<LineText> lines) {
        StringBuilder all = new StringBuilder();
        lines.forEach(line -> all.append(line.text()).append(line.end()));
        return all.toString();
    }
}
