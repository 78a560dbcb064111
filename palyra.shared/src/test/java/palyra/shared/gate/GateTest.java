package palyra.shared.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

@Timeout(120)
class GateTest {
    private final Gate<String> gate = new Gate<>("the service", ErrorCode.TOOL_UNAVAILABLE, 5_000);

    private static Map<String, Object> properties(int ranking, long id) {
        return Map.of("service.ranking", ranking, "service.id", id);
    }

    @Test
    void theHighestRankingThenTheLowestIdWins() {
        gate.add("late", properties(0, 9));
        gate.add("early", properties(0, 3));
        assertEquals("early", gate.call(s -> s));
        gate.add("best", properties(5, 20));
        assertEquals("best", gate.call(s -> s));
        gate.remove("best");
        assertEquals("early", gate.call(s -> s));
    }

    @Test
    void refusesWithItsCodeWhenNobodyComes() {
        PalyraException e = assertThrows(PalyraException.class, () -> gate.lease(10));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, e.code());
        assertTrue(e.getMessage().contains("the service"));
    }

    @Test
    void aCallerWaitsForTheReplacement() throws Exception {
        List<String> got = new ArrayList<>();
        Thread caller = Thread.ofVirtual().start(() -> got.add(gate.call(s -> s)));
        gate.add("replacement", properties(0, 1));
        caller.join();
        assertEquals(List.of("replacement"), got);
    }

    @Test
    void removingWaitsForLeasesAndNewCallersGetTheOther() throws Exception {
        gate.add("old", properties(0, 1));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        Thread user =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        gate.run(
                                                s -> {
                                                    inside.countDown();
                                                    await(finish);
                                                }));
        assertTrue(inside.await(60, TimeUnit.SECONDS));
        CountDownLatch removed = new CountDownLatch(1);
        Thread remover =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    gate.remove("old");
                                    removed.countDown();
                                });
        gate.add("new", properties(0, 2));
        // The old service is out of choice as soon as its removal began, which may be a moment
        // after this thread goes on.
        while (gate.call(s -> s).equals("old")) {
            Thread.yield();
        }
        assertEquals("new", gate.call(s -> s));
        assertEquals(1, removed.getCount(), "the lease still holds the old service");
        finish.countDown();
        assertTrue(removed.await(60, TimeUnit.SECONDS));
        user.join();
        remover.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void leasesNeverNest() {
        gate.add("one", properties(0, 1));
        Gate<String> other = new Gate<>("another", ErrorCode.TOOL_UNAVAILABLE, 0);
        other.add("two", properties(0, 1));
        assertThrows(IllegalStateException.class, () -> gate.run(s -> other.run(t -> {})));
        assertEquals("one", gate.call(s -> s), "the failed nesting left no lease behind");
    }

    @Test
    void anArrivalListenerHearsOfThePresentOneAndOfThoseToCome() {
        gate.add("first", properties(0, 1));
        List<String> heard = new ArrayList<>();
        gate.onArrival(heard::add);
        gate.add("second", properties(0, 2));
        assertEquals(List.of("first", "second"), heard);
    }

    @Test
    void noCallIsLostOrMadeTwiceOverManySwaps() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        String present = "provider0";
        gate.add(present, properties(0, 0));
        for (int t = 0; t < 4; t++) {
            callers.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = 0; i < 5_000; i++) {
                                            calls.incrementAndGet();
                                            gate.run(s -> done.incrementAndGet());
                                        }
                                    }));
        }
        int swap = 0;
        while (callers.stream().anyMatch(Thread::isAlive)) {
            gate.remove(present);
            present = "provider" + ++swap;
            gate.add(present, properties(0, swap));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertEquals(20_000, calls.get());
        assertEquals(20_000, done.get());
    }

    @Test
    void removingWhatIsNotThereChangesNothing() {
        gate.remove("stranger");
        assertFalse(gate.isPresent());
    }
}
