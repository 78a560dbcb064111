package palyra.console.internal.run.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class TabQueueTest {
    @Test
    void aFullQueueHoldsBackWhoPutsInAndLosesNothing() throws Exception {
        TabQueue queue = new TabQueue(10);
        assertTrue(queue.put(new byte[8]));
        CompletableFuture<Boolean> second = put(queue, 8);
        assertThrows(TimeoutException.class, () -> second.get(100, TimeUnit.MILLISECONDS));
        assertEquals(1, queue.take(0, true).frames().size());
        assertTrue(second.get(10, TimeUnit.SECONDS));
        assertEquals(1, queue.take(0, true).frames().size());
    }

    @Test
    void oneEventOverTheBoundStillPasses() throws Exception {
        TabQueue queue = new TabQueue(10);
        assertTrue(queue.put(new byte[100]));
        assertEquals(100, queue.take(0, false).frames().get(0).length);
    }

    @Test
    void closingLetsGoOfWhoWaits() throws Exception {
        TabQueue queue = new TabQueue(10);
        queue.put(new byte[10]);
        CompletableFuture<Boolean> waiting = put(queue, 10);
        queue.close();
        assertFalse(waiting.get(10, TimeUnit.SECONDS));
        assertTrue(queue.take(1_000, true).closed());
    }

    @Test
    void equalHintsAreOneAndTooManyAreEverything() throws Exception {
        TabQueue queue = new TabQueue(10);
        queue.hint(new Hint.OfRun("a"));
        queue.hint(new Hint.OfRun("a"));
        assertEquals(Set.of(new Hint.OfRun("a")), queue.take(0, true).hints());
        for (int i = 0; i <= TabQueue.MAX_HINTS; i++) {
            queue.hint(new Hint.OfRun("run" + i));
        }
        TabQueue.Batch batch = queue.take(0, true);
        assertTrue(batch.everything());
        assertEquals(Set.of(), batch.hints());
        assertFalse(queue.take(0, true).everything());
    }

    @Test
    void hintsStayUntilTheyAreWanted() throws Exception {
        TabQueue queue = new TabQueue(10);
        queue.hint(new Hint.OfRun("a"));
        assertEquals(Set.of(), queue.take(0, false).hints());
        assertEquals(1, queue.take(0, true).hints().size());
    }

    @Test
    void hintsKeepTheOrderInWhichTheyCame() throws Exception {
        TabQueue queue = new TabQueue(10);
        List<Hint> came = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Hint hint = i % 2 == 0 ? new Hint.OfRun("r" + i) : new Hint.OfApproval("r" + i);
            came.add(hint);
            queue.hint(hint);
        }
        assertEquals(came, List.copyOf(queue.take(0, true).hints()));
    }

    private static CompletableFuture<Boolean> put(TabQueue queue, int bytes) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                done.complete(queue.put(new byte[bytes]));
                            } catch (InterruptedException e) {
                                done.completeExceptionally(e);
                            }
                        });
        return done;
    }
}
