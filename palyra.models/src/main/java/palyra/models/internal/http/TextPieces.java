package palyra.models.internal.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts text that arrives in pieces anew, so that no piece splits a code point, is empty or is very
 * long: half of a surrogate pair waits for its other half, and becomes U+FFFD when that never
 * comes. Not thread-safe.
 */
final class TextPieces {
    /** Longest piece in chars. */
    static final int MAX_PIECE = 8_192;

    private static final char REPLACEMENT = '\uFFFD';

    private char waiting; // a high surrogate, or 0

    /** Returns what can be told now, mostly one piece. */
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

    /** Returns what is left when no more text comes; empty mostly. */
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
