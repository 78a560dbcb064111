package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetClaim;
import palyra.api.core.journal.BudgetExceeded;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;

/** Accounts of budgets: what is set aside, what is used, and what is refused. */
class BudgetTest {
    private static final String DAY = "2026-03-01";

    @TempDir Path state;
    private TestStore store;

    @BeforeEach
    void open() {
        store = TestStore.open(state);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static BudgetClaim claim(long capTokens, long tokens) {
        return new BudgetClaim(
                "daily",
                "principal:user:anna",
                DAY,
                new BudgetAmount(capTokens, 0, 0),
                new BudgetAmount(tokens, tokens * 2, 1));
    }

    private void commit(Operation... operations) {
        store.journal().commit(Unit.of(operations));
    }

    private static Operation reserve(String id, String runId, BudgetClaim... claims) {
        return new Operation.ReserveBudget(id, runId, List.of(claims));
    }

    private BudgetRow account() {
        List<BudgetRow> rows = store.journal().budgets(DAY, "principal:user:anna", 0, 10);
        assertEquals(1, rows.size());
        return rows.get(0);
    }

    @Test
    void setsAsideAndCountsWhatWasUsed() {
        String runId = store.newRun();
        commit(reserve("r1", runId, claim(1_000, 400)));
        assertEquals(new BudgetAmount(400, 800, 1), account().reserved());
        assertEquals(40, account().percent());
        commit(new Operation.SettleBudget("r1", new BudgetAmount(300, 500, 1)));
        assertEquals(BudgetAmount.NONE, account().reserved());
        assertEquals(new BudgetAmount(300, 500, 1), account().used());
    }

    @Test
    void settlingTwiceOrWhatNobodyReservedCountsOnce() {
        String runId = store.newRun();
        commit(reserve("r1", runId, claim(1_000, 400)));
        commit(Operation.SettleBudget.whole("r1"));
        commit(Operation.SettleBudget.whole("r1"), Operation.SettleBudget.whole("nobody"));
        assertEquals(new BudgetAmount(400, 800, 1), account().used());
        assertEquals(BudgetAmount.NONE, account().reserved());
    }

    @Test
    void refusesWhatDoesNotFitAndDoesNothingElseOfTheUnit() {
        String runId = store.newRun();
        commit(reserve("r1", runId, claim(1_000, 700)));
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () ->
                                commit(
                                        TestStore.append(runId, "announced"),
                                        reserve("r2", runId, claim(1_000, 301))));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code());
        assertEquals("daily", BudgetExceeded.find(refused).orElseThrow().claim().budget());
        assertEquals(0, store.journal().headSeq(runId));
        commit(reserve("r3", runId, claim(1_000, 300)));
        assertEquals(100, account().percent());
    }

    @Test
    void oneFullAccountOfSeveralRefusesAll() {
        String runId = store.newRun();
        BudgetClaim other =
                new BudgetClaim(
                        "calls", "all", DAY, new BudgetAmount(0, 0, 1), claim(0, 5).amount());
        commit(reserve("r1", runId, claim(1_000, 5), other));
        assertThrows(
                PalyraException.class, () -> commit(reserve("r2", runId, claim(1_000, 5), other)));
        assertEquals(5, account().reserved().tokens());
    }

    @Test
    void endOfARunCountsWhatIsStillSetAside() {
        String runId = store.newRun();
        commit(reserve("r1", runId, claim(1_000, 400)));
        store.end(runId);
        assertEquals(new BudgetAmount(400, 800, 1), account().used());
        assertEquals(BudgetAmount.NONE, account().reserved());
    }

    @Test
    void peopleAreToldOfAThresholdOnce() {
        String runId = store.newRun();
        commit(reserve("r1", runId, claim(1_000, 400)));
        BudgetAmount cap = new BudgetAmount(1_000, 0, 0);
        Operation note = new Operation.NoteBudget("daily", "principal:user:anna", DAY, cap, 50);
        commit(note);
        assertEquals(
                ErrorCode.CONFLICT, assertThrows(PalyraException.class, () -> commit(note)).code());
        assertEquals(50, account().warned());
    }

    @Test
    void reservationsSurviveARestart() {
        String runId = store.newRun();
        commit(reserve("r1", runId, claim(1_000, 400)));
        store.close();
        store = TestStore.open(state);
        assertEquals(400, account().reserved().tokens());
        commit(Operation.SettleBudget.whole("r1"));
        assertEquals(400, account().used().tokens());
    }

    @Test
    void countsNearTheLargestNumberDoNotOverflow() {
        String runId = store.newRun();
        BudgetClaim huge =
                new BudgetClaim(
                        "daily",
                        "principal:user:anna",
                        DAY,
                        new BudgetAmount(Long.MAX_VALUE - 1, 0, 0),
                        new BudgetAmount(Long.MAX_VALUE - 10, 0, 1));
        commit(reserve("r1", runId, huge));
        assertThrows(PalyraException.class, () -> commit(reserve("r2", runId, huge)));
        commit(new Operation.SettleBudget("r1", new BudgetAmount(Long.MAX_VALUE, 0, 1)));
        assertEquals(Long.MAX_VALUE, account().used().tokens());
        assertEquals(100, account().percent());
    }

    @Test
    void aHundredAtOnceNeverGetBeyondTheCap() throws Exception {
        String runId = store.newRun();
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger taken = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String id = "r" + i;
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            go.await();
                                            commit(reserve(id, runId, claim(1_000, 30)));
                                            taken.incrementAndGet();
                                        } catch (PalyraException e) {
                                            assertTrue(BudgetExceeded.in(e));
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    }));
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(33, taken.get());
        assertEquals(990, account().reserved().tokens());
    }
}
