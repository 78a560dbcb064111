package palyra.models.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void splitsBeforeEachWord() {
        assertEquals(List.of(), Words.pieces(""));
        assertEquals(List.of("a"), Words.pieces("a"));
        assertEquals(List.of("  ", "a \n", "b\t"), Words.pieces("  a \nb\t"));
    }

    @Test
    void countsWords() {
        assertEquals(0, Words.count(" \n"));
        assertEquals(3, Words.count("a  b\nc"));
        assertEquals(1, Words.count("🙂"));
    }

    @Test
    void piecesJoinToTheTextAndNeverSplitACodePoint() {
        Random random = new Random(7);
        String[] parts = {"a", " ", "\n", "🙂", "é", "word", "🚀".repeat(700), "x".repeat(1_500)};
        for (int round = 0; round < 500; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(20); i > 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            List<String> pieces = Words.pieces(text.toString());
            assertEquals(text.toString(), String.join("", pieces));
            pieces.forEach(WordsTest::assertSound);
        }
    }

    private static void assertSound(String piece) {
        assertFalse(piece.isEmpty());
        assertTrue(piece.length() <= Words.MAX_PIECE, "length " + piece.length());
        assertFalse(Character.isLowSurrogate(piece.charAt(0)));
        assertFalse(Character.isHighSurrogate(piece.charAt(piece.length() - 1)));
    }

    @Test
    void readsTheAttemptOutOfARequestId() {
        assertEquals(3, RequestIds.attempt("01J/12/3"));
        assertEquals(1, RequestIds.attempt("anything"));
        assertEquals(1, RequestIds.attempt("7"));
        assertEquals(1, RequestIds.attempt("01J/12/0"));
        assertEquals(1, RequestIds.attempt("01J/12/x"));
        assertEquals(1, RequestIds.attempt(""));
    }
}
