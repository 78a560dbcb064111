package palyra.models.internal.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits arriving text into chunks that do not split a code point and are neither empty nor very
 * long. Half of a surrogate pair waits for its other half; without it, it becomes U+FFFD. Not
 * thread-safe.
 */
final class TextChunker {
    /** Longest piece in chars. */
    static final int MAX_PIECE = 8_192;

    private static final char REPLACEMENT = '\uFFFD';

    private char waiting; // a high surrogate, or 0

    /** Returns the chunks that are complete, mostly one. */
    List<String> take(String text) {
        StringBuilder whole = new StringBuilder(text.length() + 1);
        for (int i = 0; i < text.length(); i++) {
            add(text.charAt(i), whole);
        }
        return cut(whole);
    }

    private void add(char c, StringBuilder whole) {
        if (waiting != 0) {
            boolean pair = Character.isLowSurrogate(c);
            whole.append(pair ? waiting : REPLACEMENT);
            waiting = 0;
            if (pair) {
                whole.append(c);
                return;
            }
        }
        if (Character.isHighSurrogate(c)) {
            waiting = c;
        } else {
            whole.append(Character.isLowSurrogate(c) ? REPLACEMENT : c);
        }
    }

    /** Returns the rest at the end of the text; mostly empty. */
    String rest() {
        String rest = waiting == 0 ? "" : String.valueOf(REPLACEMENT);
        waiting = 0;
        return rest;
    }

    private static List<String> cut(StringBuilder whole) {
        List<String> pieces = new ArrayList<>(1);
        int from = 0;
        while (from < whole.length()) {
            int to = Math.min(from + MAX_PIECE, whole.length());
            if (to < whole.length() && Character.isHighSurrogate(whole.charAt(to - 1))) {
                to--;
            }
            pieces.add(whole.substring(from, to));
            from = to;
        }
        return pieces;
    }
}
