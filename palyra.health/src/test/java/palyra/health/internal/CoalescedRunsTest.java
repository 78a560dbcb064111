package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.testing.wait.Await;

class CoalescedRunsTest {
    private static final int ASKERS = 20;
    private static final long LONG_MILLIS = 30_000;

    private final ExecutorService askers = Executors.newCachedThreadPool();
    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void end() {
        goOn.countDown();
        askers.shutdownNow();
    }

    /** The first run waits until it is let go; each gives its number. */
    private int run() {
        int number = begun.incrementAndGet();
        if (number == 1) {
            first.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return number;
    }

    private static <T> T get(Future<T> answer) throws Exception {
        return answer.get(LONG_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Test
    void manyAskersDuringOneRunShareTheNextOne() throws Exception {
        CoalescedRuns<Integer> runs = new CoalescedRuns<>(LONG_MILLIS, this::run, () -> -1);
        Future<Integer> early = askers.submit(runs::next);
        assertTrue(first.await(LONG_MILLIS, TimeUnit.MILLISECONDS));
        CountDownLatch asking = new CountDownLatch(ASKERS);
        List<Thread> threads = new ArrayList<>();
        List<Future<Integer>> late = new ArrayList<>();
        for (int i = 0; i < ASKERS; i++) {
            late.add(
                    askers.submit(
                            () -> {
                                synchronized (threads) {
                                    threads.add(Thread.currentThread());
                                }
                                asking.countDown();
                                return runs.next();
                            }));
        }
        assertTrue(asking.await(LONG_MILLIS, TimeUnit.MILLISECONDS));
        Await.until(
                "every asker to wait",
                () -> {
                    synchronized (threads) {
                        return threads.stream()
                                .allMatch(t -> t.getState() == Thread.State.TIMED_WAITING);
                    }
                });
        goOn.countDown();
        assertEquals(1, get(early));
        for (Future<Integer> each : late) {
            assertEquals(2, get(each));
        }
        assertEquals(2, begun.get());
    }

    @Test
    void keepsNoResult() {
        goOn.countDown();
        CoalescedRuns<Integer> runs = new CoalescedRuns<>(LONG_MILLIS, this::run, () -> -1);
        assertEquals(1, runs.next());
        assertEquals(2, runs.next());
    }

    @Test
    void aRunThatHangsDoesNotHoldUpOtherAskers() throws Exception {
        CoalescedRuns<Integer> runs = new CoalescedRuns<>(20, this::run, () -> -1);
        askers.submit(runs::next);
        assertTrue(first.await(LONG_MILLIS, TimeUnit.MILLISECONDS));
        assertEquals(-1, get(askers.submit(runs::next)));
        assertEquals(-1, get(askers.submit(runs::next)));
        assertEquals(1, begun.get());
        goOn.countDown();
        Await.until("a run again", () -> runs.next() > 1);
    }

    @Test
    void aRunThatThrowsLeavesTheNextOneFree() {
        CoalescedRuns<Integer> runs =
                new CoalescedRuns<>(
                        LONG_MILLIS,
                        () -> {
                            if (begun.incrementAndGet() == 1) {
                                throw new IllegalStateException("once");
                            }
                            return begun.get();
                        },
                        () -> -1);
        assertThrows(IllegalStateException.class, runs::next);
        assertEquals(2, runs.next());
    }
}
