package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.FeedItem;
import palyra.api.run.RunEvent;

/** What waits for a slow follower is bounded in bytes, whatever the size of its pieces. */
class HintQueueTest {
    private static FeedItem.LiveText piece(long offset, String text) {
        return new FeedItem.LiveText("run", 1, 1, false, offset, text);
    }

    private static int waiting(int pieces, String text) throws InterruptedException {
        HintQueue mailbox = new HintQueue();
        for (int i = 0; i < pieces; i++) {
            mailbox.accept(piece(i, text));
        }
        List<FeedItem.LiveText> kept = mailbox.take(0, 0).live();
        assertEquals(pieces - 1, kept.getLast().offset(), "the newest stays");
        assertTrue(
                kept.stream().mapToInt(HintQueue::bytesOf).sum() <= HintQueue.MOST_BYTES,
                () -> kept.size() + " pieces");
        return kept.size();
    }

    @Test
    void smallPiecesCountWhatEachTakes() throws InterruptedException {
        assertTrue(waiting(100_000, "x") <= HintQueue.MOST_BYTES / 128);
        assertEquals(10, waiting(10, "x"));
    }

    @Test
    void largePiecesCountTheirText() throws InterruptedException {
        assertTrue(waiting(1_000, "x".repeat(8_192)) < 10);
    }

    /** Text ahead of a gap waits for the tape; what is too much of it comes from the tape later. */
    @Test
    void textAheadOfTheTapeIsBounded() {
        StringBuilder told = new StringBuilder();
        List<RunEvent> events = new ArrayList<>();
        LiveTextMerger merge = new LiveTextMerger(events::add);
        merge.begin(1, 1, "");
        for (int i = 1; i <= 1_000; i++) {
            merge.live(piece(i * 1_000L, "y".repeat(1_000)));
        }
        assertTrue(merge.waitingBytes() <= LiveTextMerger.MOST_WAITING_BYTES);
        merge.taped(1, 1, false, "y".repeat(1_001_000));
        assertEquals(0, merge.waitingBytes());
        events.stream()
                .filter(RunEvent.Text.class::isInstance)
                .forEach(event -> told.append(((RunEvent.Text) event).text()));
        assertEquals(1_001_000, told.length());
    }
}
