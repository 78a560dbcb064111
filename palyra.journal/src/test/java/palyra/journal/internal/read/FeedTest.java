package palyra.journal.internal.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;
import palyra.testing.wait.Await;

class FeedTest {
    private static FeedItem.Advanced hint(long seq) {
        return new FeedItem.Advanced("run", seq);
    }

    @Test
    void slowListenerLosesTheOldestAndIsTold() throws InterruptedException {
        Feed feed = new Feed(4);
        Semaphore turn = new Semaphore(0);
        CountDownLatch begun = new CountDownLatch(1);
        List<FeedItem> heard = new CopyOnWriteArrayList<>();
        feed.subscribe(
                "run",
                item -> {
                    begun.countDown();
                    turn.acquireUninterruptibly();
                    heard.add(item);
                });
        feed.offer(hint(1));
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        LongStream.rangeClosed(2, 11).forEach(seq -> feed.offer(hint(seq)));
        turn.release(100);
        Await.until("all that is left", () -> heard.contains(hint(11)));
        assertEquals(
                List.of(hint(1), new FeedItem.Lagged(6), hint(8), hint(9), hint(10), hint(11)),
                heard);
        feed.close(1_000);
    }

    private static FeedItem.LiveText text(long offset) {
        return new FeedItem.LiveText("run", 1, 1, false, offset, "x".repeat(8_192));
    }

    /** A queue of few hints may still be too many bytes. */
    @Test
    void slowListenerHoldsFewBytesOfText() throws InterruptedException {
        Feed feed = new Feed(100_000);
        Semaphore turn = new Semaphore(0);
        CountDownLatch begun = new CountDownLatch(1);
        List<FeedItem> heard = new CopyOnWriteArrayList<>();
        feed.subscribe(
                "run",
                item -> {
                    begun.countDown();
                    turn.acquireUninterruptibly();
                    heard.add(item);
                });
        feed.offer(hint(1));
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        for (int i = 0; i < 1_000; i++) {
            feed.publish(text(i));
        }
        turn.release(2_000);
        Await.until("the newest", () -> heard.contains(text(999))); // at first nothing was heard
        long texts = heard.stream().filter(FeedItem.LiveText.class::isInstance).count();
        assertTrue(texts * 2 * 8_192 <= FeedSubscription.MOST_BYTES, () -> texts + " texts");
        assertEquals(new FeedItem.Lagged(1_000 - texts), heard.get(1));
        feed.close(1_000);
    }

    @Test
    void blockedListenerHoldsUpNeitherWritersNorOthers() throws InterruptedException {
        Feed feed = new Feed(8);
        CountDownLatch release = new CountDownLatch(1);
        List<FeedItem> heard = new CopyOnWriteArrayList<>();
        feed.subscribe(
                LiveFeed.ANY,
                item -> {
                    try {
                        release.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        feed.subscribe("run", heard::add);
        for (int seq = 1; seq <= 1_000; seq++) {
            feed.offer(hint(seq));
        }
        Await.until("the other to hear", () -> heard.contains(hint(1_000)));
        release.countDown();
        feed.close(1_000);
    }

    @Test
    void listenerIsCalledByOneThreadAtATime() throws InterruptedException {
        Feed feed = new Feed(100_000);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<FeedItem> heard = new CopyOnWriteArrayList<>();
        feed.subscribe(
                "run",
                item -> {
                    overlaps.addAndGet(inside.getAndIncrement());
                    heard.add(item);
                    inside.decrementAndGet();
                });
        List<Thread> threads =
                LongStream.range(0, 4)
                        .mapToObj(
                                n ->
                                        Thread.ofPlatform()
                                                .start(
                                                        () -> {
                                                            for (int i = 0; i < 1_000; i++) {
                                                                feed.offer(hint(i));
                                                            }
                                                        }))
                        .toList();
        for (Thread thread : threads) {
            Await.ended(thread);
        }
        Await.until("all", () -> heard.size() == 4_000);
        assertEquals(0, overlaps.get());
        feed.close(1_000);
    }

    @Test
    void closedSubscriptionHearsNothingMore() throws InterruptedException {
        Feed feed = new Feed(8);
        List<FeedItem> closed = new CopyOnWriteArrayList<>();
        List<FeedItem> open = new CopyOnWriteArrayList<>();
        LiveFeed.Subscription subscription = feed.subscribe("run", closed::add);
        feed.subscribe("run", open::add);
        assertEquals(2, feed.size());
        subscription.close();
        subscription.close();
        feed.offer(hint(1));
        Await.until("the other", () -> open.contains(hint(1)));
        assertTrue(closed.isEmpty());
        assertEquals(1, feed.size());
        feed.close(1_000);
        assertTrue(closed.isEmpty());
    }

    @Test
    void endOfTheFeedIsHeardAfterAllElse() throws InterruptedException {
        Feed feed = new Feed(8);
        List<FeedItem> heard = new CopyOnWriteArrayList<>();
        feed.subscribe("run", heard::add);
        feed.offer(hint(1));
        feed.close(5_000);
        assertEquals(List.of(hint(1), new FeedItem.Closed()), heard);
        feed.offer(hint(2));
        PalyraException late =
                assertThrows(PalyraException.class, () -> feed.subscribe("run", heard::add));
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, late.code());
        assertFalse(heard.contains(hint(2)));
    }
}
