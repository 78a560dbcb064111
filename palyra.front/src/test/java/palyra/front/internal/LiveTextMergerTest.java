package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.FeedItem;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;

class LiveTextMergerTest {
    private final List<RunEvent> told = new ArrayList<>();
    private final LiveTextMerger merge = new LiveTextMerger(told::add);

    private static FeedItem.LiveText live(int turn, int attempt, long offset, String text) {
        return new FeedItem.LiveText("run", turn, attempt, false, offset, text);
    }

    private String seen() {
        return seen(told, false);
    }

    private static String seen(List<RunEvent> events, boolean thought) {
        Map<Integer, StringBuilder> turns = new TreeMap<>();
        for (RunEvent event : events) {
            if (event instanceof RunEvent.Text text && text.thought() == thought) {
                turns.computeIfAbsent(text.turn(), t -> new StringBuilder()).append(text.text());
            } else if (event instanceof RunEvent.Dropped dropped) {
                turns.remove(dropped.turn());
            }
        }
        return String.join("|", turns.values());
    }

    private long dropped() {
        return told.stream().filter(RunEvent.Dropped.class::isInstance).count();
    }

    @Test
    void tellsWhatIsLiveOnceAlthoughItIsOnTheTapeToo() {
        merge.begin(1, 1, "");
        merge.live(live(1, 1, 0, "Hello"));
        merge.taped(1, 1, false, "Hel");
        merge.live(live(1, 1, 5, " wor"));
        merge.taped(1, 1, false, "lo world");
        merge.live(live(1, 1, 9, "ld"));
        merge.finish(1, 1, "Hello world!");
        assertEquals("Hello world!", seen());
        assertEquals(4, told.size());
    }

    @Test
    void liveTextAheadOfAGapWaitsForTheTape() {
        merge.begin(1, 1, "");
        merge.live(live(1, 1, 3, "def"));
        assertEquals("", seen());
        merge.taped(1, 1, false, "ab");
        merge.taped(1, 1, false, "c");
        assertEquals("abcdef", seen());
    }

    @Test
    void liveTextOfALaterTurnWaitsForTheTurn() {
        merge.begin(1, 1, "");
        merge.live(live(2, 1, 0, "second"));
        merge.finish(1, 1, "first");
        assertEquals("first", seen());
        merge.begin(2, 1, "");
        assertEquals("first|second", seen());
    }

    @Test
    void anotherAttemptDropsTextOnlyIfThereWasSome() {
        merge.begin(1, 1, "");
        merge.begin(1, 2, "lost");
        assertEquals(0, dropped());
        merge.live(live(1, 2, 0, "abc"));
        merge.live(live(1, 1, 3, "stale"));
        merge.begin(1, 3, "lost again");
        assertEquals(1, dropped());
        merge.taped(1, 2, false, "stale");
        merge.finish(1, 3, "xyz");
        assertEquals("xyz", seen());
        merge.begin(2, 1, "");
        assertEquals(1, dropped());
    }

    @Test
    void resumingInsideATurnDropsAndTellsItAgain() {
        merge.resume(RunPosition.START, 1, 1, true);
        assertEquals(1, dropped());
        merge.live(live(1, 1, 3, "def"));
        merge.taped(1, 1, false, "abc");
        assertEquals("abcdef", seen());
    }

    @Test
    void resumingBetweenTurnsTellsNothingOfTheOldOne() {
        merge.resume(RunPosition.START, 1, 1, false);
        merge.live(live(1, 1, 0, "old"));
        merge.taped(1, 1, false, "old");
        merge.finish(1, 1, "old");
        assertEquals(List.of(), told);
        merge.begin(2, 1, "");
        merge.finish(2, 1, "new");
        assertEquals("new", seen());
    }

    /** Whatever is live, late, lost or cut differently, the text comes once and in order. */
    @Test
    void mergesAnyInterleavingIntoTheOneText() {
        Random random = new Random(42);
        for (int round = 0; round < 3_000; round++) {
            List<RunEvent> events = new ArrayList<>();
            LiveTextMerger mixed = new LiveTextMerger(events::add);
            StringBuilder expected = new StringBuilder();
            StringBuilder expectedThoughts = new StringBuilder();
            for (int turn = 1; turn <= 3; turn++) {
                int attempts = 1 + random.nextInt(2);
                for (int attempt = 1; attempt <= attempts; attempt++) {
                    boolean last = attempt == attempts;
                    String text = text(random, 'a');
                    String thought = text(random, 'A');
                    mixed.begin(turn, attempt, "restarted");
                    play(mixed, random, turn, attempt, text, thought, last);
                    if (last) {
                        mixed.finish(turn, attempt, text);
                        append(expected, text);
                        append(expectedThoughts, thought);
                    }
                }
            }
            assertEquals(expected.toString(), seen(events, false), "round " + round);
            assertEquals(expectedThoughts.toString(), seen(events, true), "round " + round);
        }
    }

    private static void append(StringBuilder all, String text) {
        if (!text.isEmpty()) {
            all.append(all.isEmpty() ? "" : "|").append(text);
        }
    }

    private static String text(Random random, char first) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(40); i > 0; i--) {
            text.append((char) (first + random.nextInt(26)));
        }
        return text.toString();
    }

    /**
     * Streams both kinds live (with losses) and onto the tape (thoughts whole if it is the last).
     */
    private static void play(
            LiveTextMerger merge,
            Random random,
            int turn,
            int attempt,
            String text,
            String thought,
            boolean last) {
        Deque<FeedItem.LiveText> live = new ArrayDeque<>();
        Deque<FeedItem.LiveText> tape = new ArrayDeque<>();
        cut(random, turn, attempt, false, text).forEach(live::add);
        cut(random, turn, attempt, true, thought).forEach(live::add);
        cut(random, turn, attempt, false, text).forEach(tape::add);
        cut(random, turn, attempt, true, thought).forEach(tape::add);
        while (!live.isEmpty() || !tape.isEmpty()) {
            if (!live.isEmpty() && (tape.isEmpty() || random.nextBoolean())) {
                FeedItem.LiveText piece = live.remove();
                if (random.nextInt(4) > 0) {
                    merge.live(piece);
                }
            } else {
                FeedItem.LiveText piece = tape.remove();
                boolean crashed = !last && random.nextInt(5) == 0;
                if (crashed) {
                    return;
                }
                merge.taped(turn, attempt, piece.thought(), piece.text());
            }
        }
    }

    private static List<FeedItem.LiveText> cut(
            Random random, int turn, int attempt, boolean thought, String text) {
        List<FeedItem.LiveText> pieces = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = Math.min(text.length(), at + 1 + random.nextInt(7));
            pieces.add(
                    new FeedItem.LiveText(
                            "run", turn, attempt, thought, at, text.substring(at, end)));
            at = end;
        }
        assertTrue(at == text.length());
        return pieces;
    }
}
