package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.shared.wasm.PagePool;
import palyra.shared.wasm.PagePool.Claim;
import palyra.testing.wait.Await;

/** Pages are given as they are used, in order, and never so that calls stop each other. */
class PagePoolTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private Future<Boolean> take(PagePool pool, Claim claim, int pages) {
        int before = pool.waiting();
        Future<Boolean> taken = threads.submit(() -> claim.take(pages));
        Await.until("it waits", () -> taken.isDone() || pool.waiting() == before + 1);
        return taken;
    }

    private static boolean got(Future<Boolean> taken) throws Exception {
        return taken.get(60, TimeUnit.SECONDS);
    }

    @Test
    void countsWhatIsUsedAndNotWhatMightBe() throws Exception {
        PagePool pool = new PagePool(3 * 1_024);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            claims.add(pool.claim(1_024));
            assertTrue(claims.getLast().take(17));
        }
        assertEquals(170, pool.held());
        claims.forEach(Claim::close);
        assertEquals(0, pool.held());
    }

    @Test
    void keepsCallsThatGrowFromWaitingForEachOther() throws Exception {
        PagePool pool = new PagePool(12);
        Claim first = pool.claim(10);
        Claim second = pool.claim(10);
        assertTrue(first.take(5));
        Future<Boolean> later = take(pool, second, 5);
        assertFalse(later.isDone(), "with both at 5 of 10, neither could come to its end");
        assertTrue(first.take(5), "the one that runs need not wait");
        first.close();
        assertTrue(got(later));
        assertTrue(second.take(5));
    }

    @Test
    void givesToGrowingCallsBeforeNewOnesAndToThoseInTheirOrder() throws Exception {
        PagePool pool = new PagePool(10);
        Claim first = pool.claim(6);
        Claim second = pool.claim(5);
        assertTrue(first.take(5));
        assertTrue(second.take(4));
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Claim large = pool.claim(9);
        Claim small = pool.claim(1);
        assertTrue(first.take(1), "the last page");
        Future<?> grown = waits(pool, second, 1, "grown", order);
        Future<?> begun = waits(pool, large, 9, "large", order);
        Future<?> behind = waits(pool, small, 1, "small", order);
        first.close();
        grown.get(60, TimeUnit.SECONDS);
        assertEquals(List.of("grown"), order, "the small one does not overtake the large one");
        second.close();
        begun.get(60, TimeUnit.SECONDS);
        behind.get(60, TimeUnit.SECONDS);
        assertEquals(10, pool.held());
    }

    private Future<?> waits(
            PagePool pool, Claim claim, int pages, String name, List<String> order) {
        int before = pool.waiting();
        Future<?> future =
                threads.submit(
                        () -> {
                            assertTrue(claim.take(pages));
                            return order.add(name);
                        });
        Await.until("it waits", () -> pool.waiting() == before + 1);
        return future;
    }

    @Test
    void letsGoOfACallThatIsToEndAndOfThoseBehindIt() throws Exception {
        PagePool pool = new PagePool(10);
        Claim first = pool.claim(5);
        assertTrue(first.take(5));
        Claim large = pool.claim(10);
        Future<Boolean> waiting = take(pool, large, 10);
        Future<Boolean> behind = take(pool, pool.claim(1), 1);
        assertFalse(behind.isDone());
        waiting.cancel(true);
        assertTrue(got(behind));
        Await.until("it knows that it waited", () -> !large.waitedFor("").equals("."));
        assertEquals(6, pool.held());
        assertThrows(java.util.concurrent.CancellationException.class, () -> got(waiting));
    }

    @Test
    void saysAtOnceWhatCanNeverBeHad() throws InterruptedException, ExecutionException {
        PagePool pool = new PagePool(10);
        assertFalse(pool.claim(20).take(11));
        Claim claim = pool.claim(4);
        assertTrue(claim.take(4));
        assertFalse(claim.take(1));
    }
}
