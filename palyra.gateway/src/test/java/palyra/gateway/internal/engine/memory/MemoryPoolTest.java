package palyra.gateway.internal.engine.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.gateway.internal.engine.memory.MemoryPool.Granted;
import palyra.testing.wait.Await;

class MemoryPoolTest {
    private static final MemoryPool.Limits LIMITS = new MemoryPool.Limits(400, 100, 0, 0);

    private final MemoryPool budget = new MemoryPool();

    private static MemoryWait within(long millis) {
        return new MemoryWait(in(millis), () -> false, used -> {});
    }

    private static long in(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private Granted take(MemoryPool.Account account, long bytes) {
        return account.take(bytes, LIMITS, within(20_000));
    }

    private CompletableFuture<Granted> taking(MemoryPool.Account account, long bytes) {
        return CompletableFuture.supplyAsync(() -> take(account, bytes));
    }

    /** A run that asks for more than its share is told so at once, however much is free. */
    @Test
    void runNeverHoldsMoreThanItsShare() {
        MemoryPool.Account run = budget.open("R1");
        assertEquals(Granted.YES, take(run, 100));
        PalyraException refused = assertThrows(PalyraException.class, () -> take(run, 1));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code());
        assertEquals(
                "Run R1 needs 101 bytes of memory and one run may hold 100; begin a new session,"
                        + " send less, or raise runShareBytes of palyra.gateway.",
                refused.getMessage());
        assertEquals(100, budget.used());
    }

    @Test
    void whatIsGivenBackIsForOthers() {
        List<MemoryPool.Account> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(budget.open("R" + i));
            assertEquals(Granted.YES, take(runs.get(i), 100));
        }
        MemoryPool.Account first = budget.open("first");
        assertEquals(Granted.YES, take(first, 50), "the part that is kept for one");
        MemoryPool.Account second = budget.open("second");
        CompletableFuture<Granted> waits = taking(second, 50);
        assertFalse(waits.isDone());
        runs.get(0).close();
        assertEquals(Granted.YES, waits.join());
        assertEquals(300, budget.used());
    }

    /** Runs that wait for each other come to an end one by one; all of them hold something. */
    @Test
    void runsThatWaitForEachOtherAllComeToAnEnd() {
        List<CompletableFuture<Granted>> ends = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            MemoryPool.Account run = budget.open("R" + i);
            ends.add(
                    CompletableFuture.supplyAsync(
                            () -> {
                                for (int piece = 0; piece < 10; piece++) {
                                    if (take(run, 10) != Granted.YES) {
                                        return Granted.TOO_LATE;
                                    }
                                    assertTrue(budget.used() <= LIMITS.totalBytes());
                                    Thread.yield();
                                }
                                run.endTurn();
                                return Granted.YES;
                            },
                            task -> Thread.ofPlatform().start(task)));
        }
        ends.forEach(end -> assertEquals(Granted.YES, end.join()));
        assertEquals(0, budget.used());
    }

    @Test
    void waitingEndsAtItsTimeOrWhenTheRunIsStopped() {
        for (int i = 0; i < 3; i++) {
            assertEquals(Granted.YES, take(budget.open("R" + i), 100));
        }
        assertEquals(Granted.YES, take(budget.open("first"), 100));
        MemoryPool.Account run = budget.open("late");
        assertEquals(Granted.TOO_LATE, run.take(1, LIMITS, within(1)));
        assertEquals(
                Granted.STOPPED,
                run.take(1, LIMITS, new MemoryWait(in(60_000), () -> true, used -> {})));
        assertEquals(0, run.held());
    }

    @Test
    void whatIsKeptBetweenTurnsOutlivesThem() {
        MemoryPool.Account run = budget.open("R");
        assertEquals(Granted.YES, run.keep(30, LIMITS, within(1_000)));
        assertEquals(Granted.YES, take(run, 20));
        run.endTurn();
        assertEquals(30, budget.used());
        assertEquals(Granted.YES, run.keep(10, LIMITS, within(1_000)));
        assertEquals(10, budget.used());
        run.close();
        run.close();
        assertEquals(0, budget.used());
    }

    /** A run whose turn is long keeps the part that is for one; others take turns with the rest. */
    @Test
    void greedyRunLeavesTheRestToOthers() {
        MemoryPool.Account greedy = budget.open("greedy");
        assertEquals(Granted.YES, take(greedy, 100));
        for (int i = 0; i < 20; i++) {
            MemoryPool.Account other = budget.open("R" + i);
            assertEquals(Granted.YES, take(other, 100));
            other.close();
        }
        Await.until("only the greedy one to hold anything", () -> budget.used() == 100);
    }

    private static final MemoryPool.Limits PARTS = new MemoryPool.Limits(1_000, 200, 300, 60);

    private static Granted takeAtOnce(MemoryPool.Account account, long bytes) {
        return account.take(bytes, PARTS, within(1));
    }

    /** All that large runs may take is taken: the common part, and the share of the first. */
    private void fillWithLargeRuns() {
        for (int i = 0; i < 5; i++) {
            assertEquals(Granted.YES, takeAtOnce(budget.open("large " + i), 100));
        }
        assertEquals(Granted.YES, takeAtOnce(budget.open("first"), 200));
        assertEquals(Granted.TOO_LATE, takeAtOnce(budget.open("one more"), 100));
    }

    @Test
    void largeRunsLeaveAPartToSmallOnes() {
        fillWithLargeRuns();
        for (int i = 0; i < 5; i++) {
            assertEquals(Granted.YES, takeAtOnce(budget.open("small " + i), 60));
        }
        assertEquals(1_000, budget.used());
        assertEquals(Granted.TOO_LATE, takeAtOnce(budget.open("small"), 1), "it has a bound too");
    }

    @Test
    void runThatGrowsLargeLeavesThePartOfSmallOnes() {
        MemoryPool.Account grown = budget.open("grown");
        for (int i = 0; i < 4; i++) {
            assertEquals(Granted.YES, takeAtOnce(budget.open("small " + i), 60));
        }
        assertEquals(Granted.YES, takeAtOnce(grown, 60));
        assertEquals(Granted.YES, takeAtOnce(grown, 60), "in the common part now");
        assertEquals(Granted.YES, takeAtOnce(budget.open("small"), 60), "in the place left");
        fillCommon(380);
        assertEquals(Granted.TOO_LATE, takeAtOnce(budget.open("small too"), 60));
        assertEquals(1_000, budget.used());
    }

    private void fillCommon(long left) {
        for (long rest = left; rest > 0; rest -= 95) {
            assertEquals(Granted.YES, takeAtOnce(budget.open("large " + rest), 95));
        }
        assertEquals(Granted.YES, takeAtOnce(budget.open("first"), 200));
    }

    /** What the first keeps after its turn is not the next one's: the total would be exceeded. */
    @Test
    void firstKeepsItsPlaceWhileThereIsNoOtherForWhatItKeeps() {
        MemoryPool.Account common = budget.open("common");
        assertEquals(Granted.YES, take(common, 100));
        for (int i = 0; i < 2; i++) {
            assertEquals(Granted.YES, take(budget.open("R" + i), 100));
        }
        MemoryPool.Account first = budget.open("first");
        assertEquals(Granted.YES, first.keep(100, LIMITS, within(1_000)));
        first.endTurn();
        MemoryPool.Account next = budget.open("next");
        assertEquals(Granted.TOO_LATE, next.take(100, LIMITS, within(1)));
        assertEquals(400, budget.used());
        common.close();
        assertEquals(Granted.YES, next.take(100, LIMITS, within(1)), "the place is the next one's");
        assertEquals(400, budget.used());
    }

    @Test
    void partsAreNeverExceededByRunsThatComeAndGo() {
        List<CompletableFuture<Granted>> ends = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            MemoryPool.Account run = budget.open("R" + i);
            int pieces = i % 2 == 0 ? 19 : 4;
            ends.add(
                    CompletableFuture.supplyAsync(
                            () -> {
                                for (int turn = 0; turn < 5; turn++) {
                                    run.keep(5L * turn, PARTS, within(20_000));
                                    for (int piece = 0; piece < pieces - 2 * turn; piece++) {
                                        if (run.take(10, PARTS, within(20_000)) != Granted.YES) {
                                            return Granted.TOO_LATE;
                                        }
                                        assertTrue(budget.used() <= PARTS.totalBytes());
                                        Thread.yield();
                                    }
                                    run.endTurn();
                                }
                                run.close();
                                return Granted.YES;
                            },
                            task -> Thread.ofPlatform().start(task)));
        }
        ends.forEach(end -> assertEquals(Granted.YES, end.join()));
        assertEquals(0, budget.used());
    }

    @Test
    void waitThatLastsIsToldOnceWithWhatIsHeld() {
        MemoryPool hasty = new MemoryPool(1, 60_000);
        assertEquals(Granted.YES, take(hasty.open("first"), 100));
        List<MemoryPool.Account> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(hasty.open("R" + i));
            assertEquals(Granted.YES, take(runs.get(i), 100));
        }
        List<Long> told = new CopyOnWriteArrayList<>();
        MemoryPool.Account late = hasty.open("late");
        CompletableFuture<Granted> waits =
                CompletableFuture.supplyAsync(
                        () ->
                                late.take(
                                        90,
                                        LIMITS,
                                        new MemoryWait(in(20_000), () -> false, told::add)));
        Await.until("it to be told", () -> !told.isEmpty());
        MemoryUse use = hasty.use();
        assertEquals(1, use.waiting());
        assertEquals(400, use.usedBytes());
        assertEquals(3, use.largest().size());
        runs.getFirst().close();
        assertEquals(Granted.YES, waits.join());
        assertEquals(List.of(400L), told);
        assertEquals(0, hasty.use().waiting());
    }

    /** Who holds most of those that get nothing; never one that waits, or holds little. */
    @Test
    void runThatHoldsMuchAndGetsNothingGivesWayToOneThatWaits() {
        MemoryPool hasty = new MemoryPool(60_000, 1);
        MemoryPool.Account small = hasty.open("small");
        assertEquals(Granted.YES, small.keep(60, PARTS, within(1_000)));
        List<MemoryPool.Account> large = new ArrayList<>();
        for (long bytes : new long[] {110, 190, 100, 90}) {
            MemoryPool.Account run = hasty.open("R" + bytes);
            assertEquals(Granted.YES, run.keep(bytes, PARTS, within(1_000)));
            large.add(run);
        }
        MemoryPool.Account first = hasty.open("first");
        CompletableFuture<Granted> waits =
                CompletableFuture.supplyAsync(
                        () -> {
                            first.keep(150, PARTS, within(20_000));
                            return hasty.open("late").keep(180, PARTS, within(20_000));
                        });
        Await.until("the first to give way", first::givesWay);
        assertFalse(large.stream().anyMatch(MemoryPool.Account::givesWay), "one is enough");
        first.close();
        assertEquals(Granted.YES, waits.join());
        CompletableFuture<Granted> another =
                CompletableFuture.supplyAsync(
                        () -> hasty.open("later").keep(180, PARTS, within(20_000)));
        Await.until("the largest to give way", large.get(1)::givesWay);
        assertFalse(small.givesWay());
        assertFalse(another.isDone());
        large.get(1).close();
        assertEquals(Granted.YES, another.join());
    }

    @Test
    void runThatGetsEnoughDoesNotGiveWay() {
        MemoryPool patient = new MemoryPool(1, 60_000);
        MemoryPool.Account busy = patient.open("busy");
        for (int i = 0; i < 5; i++) {
            assertEquals(Granted.YES, patient.open("R" + i).keep(100, PARTS, within(1_000)));
        }
        assertEquals(Granted.YES, busy.keep(200, PARTS, within(1_000)));
        assertEquals(Granted.TOO_LATE, patient.open("late").keep(100, PARTS, within(50)));
        assertFalse(busy.givesWay());
    }
}
