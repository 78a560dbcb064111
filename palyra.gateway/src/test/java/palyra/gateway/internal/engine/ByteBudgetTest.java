package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.gateway.internal.engine.ByteBudget.Granted;
import palyra.testing.wait.Await;

class ByteBudgetTest {
    private static final ByteBudget.Limits LIMITS = new ByteBudget.Limits(400, 100);

    private final ByteBudget budget = new ByteBudget();

    private static long in(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private Granted take(ByteBudget.Account account, long bytes) {
        return account.take(bytes, LIMITS, in(20_000), () -> false);
    }

    private CompletableFuture<Granted> taking(ByteBudget.Account account, long bytes) {
        return CompletableFuture.supplyAsync(() -> take(account, bytes));
    }

    /** A run that asks for more than its share is told so at once, however much is free. */
    @Test
    void runNeverHoldsMoreThanItsShare() {
        ByteBudget.Account run = budget.open("R1");
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
        List<ByteBudget.Account> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(budget.open("R" + i));
            assertEquals(Granted.YES, take(runs.get(i), 100));
        }
        ByteBudget.Account first = budget.open("first");
        assertEquals(Granted.YES, take(first, 50), "the part that is kept for one");
        ByteBudget.Account second = budget.open("second");
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
            ByteBudget.Account run = budget.open("R" + i);
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
        ByteBudget.Account run = budget.open("late");
        assertEquals(Granted.TOO_LATE, run.take(1, LIMITS, in(1), () -> false));
        assertEquals(Granted.STOPPED, run.take(1, LIMITS, in(60_000), () -> true));
        assertEquals(0, run.held());
    }

    @Test
    void whatIsKeptBetweenTurnsOutlivesThem() {
        ByteBudget.Account run = budget.open("R");
        assertEquals(Granted.YES, run.keep(30, LIMITS, in(1_000), () -> false));
        assertEquals(Granted.YES, take(run, 20));
        run.endTurn();
        assertEquals(30, budget.used());
        assertEquals(Granted.YES, run.keep(10, LIMITS, in(1_000), () -> false));
        assertEquals(10, budget.used());
        run.close();
        run.close();
        assertEquals(0, budget.used());
    }

    /** A run whose turn is long keeps the part that is for one; others take turns with the rest. */
    @Test
    void greedyRunLeavesTheRestToOthers() {
        ByteBudget.Account greedy = budget.open("greedy");
        assertEquals(Granted.YES, take(greedy, 100));
        for (int i = 0; i < 20; i++) {
            ByteBudget.Account other = budget.open("R" + i);
            assertEquals(Granted.YES, take(other, 100));
            other.close();
        }
        Await.until("only the greedy one to hold anything", () -> budget.used() == 100);
    }
}
