package palyra.models.internal;

import java.util.ArrayList;
import java.util.List;

/** Text as words: how the deterministic model streams and counts. Pure functions. */
final class Words {
    /** Longest piece in chars; a longer word is streamed in several. */
    static final int MAX_PIECE = 1_024;

    private Words() {}

    /**
     * Splits text into pieces that give it back when joined: each word with the white space after
     * it, white space at the very beginning on its own. No piece splits a code point or is empty.
     */
    static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        for (int at = 1; at <= text.length(); at++) {
            boolean end = at == text.length();
            if (end || beginsWord(text, at)) {
                addPiece(text.substring(from, at), pieces);
                from = at;
            }
        }
        return pieces;
    }

    private static boolean beginsWord(String text, int at) {
        return Character.isWhitespace(text.charAt(at - 1))
                && !Character.isWhitespace(text.charAt(at));
    }

    /** Returns the text in one piece, or in several when it is longer than a piece may be. */
    static List<String> whole(String text) {
        List<String> pieces = new ArrayList<>();
        addPiece(text, pieces);
        return pieces;
    }

    private static void addPiece(String piece, List<String> pieces) {
        int from = 0;
        while (piece.length() - from > MAX_PIECE) {
            int to = from + MAX_PIECE;
            if (Character.isHighSurrogate(piece.charAt(to - 1))) {
                to--;
            }
            pieces.add(piece.substring(from, to));
            from = to;
        }
        if (from < piece.length()) {
            pieces.add(piece.substring(from));
        }
    }

    /** Returns how many words stand in the text, as white space separates them. */
    static long count(String text) {
        long words = 0;
        boolean inside = false;
        for (int i = 0; i < text.length(); i++) {
            boolean space = Character.isWhitespace(text.charAt(i));
            words += !space && !inside ? 1 : 0;
            inside = !space;
        }
        return words;
    }
}
