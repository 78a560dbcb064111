package palyra.transport.grpc.internal.service.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import palyra.api.run.RunEvent;

class TextSplitterTest {
    private final TextSplitter pieces = new TextSplitter();

    private static RunEvent.Text text(long offset, String text) {
        return new RunEvent.Text(1, 1, false, offset, text);
    }

    private static RunEvent.Text thought(long offset, String text) {
        return new RunEvent.Text(1, 1, true, offset, text);
    }

    @Test
    void passesOrdinaryTextOnAsItIs() {
        assertEquals(List.of(text(3, "abc")), pieces.add(text(3, "abc")));
        assertEquals(List.of(), pieces.rest());
    }

    @Test
    void keepsHalfACharacterUntilItsOtherHalfComes() {
        assertEquals(List.of(text(0, "a")), pieces.add(text(0, "a\uD83D")));
        assertEquals(List.of(text(1, "😀b")), pieces.add(text(2, "\uDE00b")));
    }

    @Test
    void keepsHalvesOfAnswerAndThoughtApart() {
        assertEquals(List.of(), pieces.add(text(0, "\uD83D")));
        assertEquals(List.of(), pieces.add(thought(0, "\uD83D")));
        assertEquals(List.of(thought(0, "😁")), pieces.add(thought(1, "\uDE01")));
        assertEquals(List.of(text(0, "😀")), pieces.add(text(1, "\uDE00")));
    }

    @Test
    void replacesAHalfThatStaysAloneAndKeepsLengths() {
        assertEquals(List.of(), pieces.add(text(0, "\uD83D")));
        assertEquals(List.of(text(0, "\uFFFDx")), pieces.add(text(1, "x")));
        assertEquals(List.of(text(2, "\uFFFD")), pieces.add(text(2, "\uDE00")));
        assertEquals(List.of(), pieces.add(text(3, "\uD83D")));
        assertEquals(List.of(text(3, "\uFFFD")), pieces.rest());
        assertEquals(List.of(), pieces.rest());
    }

    @Test
    void tellsAHalfOfAnEarlierTurnBeforeTheNextOne() {
        pieces.add(text(7, "\uD83D"));
        RunEvent.Text next = new RunEvent.Text(2, 1, false, 0, "new");
        assertEquals(List.of(text(7, "\uFFFD"), next), pieces.add(next));
    }

    @Test
    void forgetsAHalfThatIsVoid() {
        pieces.add(text(0, "\uD83D"));
        pieces.drop();
        assertEquals(List.of(text(0, "x")), pieces.add(text(0, "x")));
    }

    @Test
    void cutsLongTextBetweenCharacters() {
        String whole = "x" + "😀".repeat(TextSplitter.LONGEST);
        List<RunEvent.Text> cut = pieces.add(text(10, whole));
        assertEquals(3, cut.size());
        StringBuilder joined = new StringBuilder();
        for (RunEvent.Text piece : cut) {
            assertEquals(10 + joined.length(), piece.offset());
            assertTrue(piece.text().length() <= TextSplitter.LONGEST);
            assertTrue(StandardCharsets.UTF_8.newEncoder().canEncode(piece.text()));
            joined.append(piece.text());
        }
        assertEquals(whole, joined.toString());
    }

    @Test
    void tellsTheSameTextHoweverItWasCutBefore() {
        Random random = new Random(7);
        String whole = "ab😀c😁😂d".repeat(200);
        for (int round = 0; round < 50; round++) {
            TextSplitter each = new TextSplitter();
            List<RunEvent.Text> told = new ArrayList<>();
            int at = 0;
            while (at < whole.length()) {
                int to = Math.min(whole.length(), at + 1 + random.nextInt(9));
                told.addAll(each.add(text(at, whole.substring(at, to))));
                at = to;
            }
            told.addAll(each.rest());
            StringBuilder joined = new StringBuilder();
            for (RunEvent.Text piece : told) {
                assertEquals(joined.length(), piece.offset());
                assertFalse(piece.text().isEmpty());
                assertTrue(StandardCharsets.UTF_8.newEncoder().canEncode(piece.text()));
                joined.append(piece.text());
            }
            assertEquals(whole, joined.toString());
        }
    }
}
