package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;

/** Leases are held by one, with epochs that only rise. */
interface LeaseRules extends Rules {
    Operation NOTHING = new Operation.DeleteDocument("none", "none");

    @Test
    default void leaseIsHeldUntilItExpires() {
        Lease first = journal().takeLease("engine", "boot-1/a", 1_000);
        assertEquals(new Lease("engine", "boot-1/a", 1, clock().millis() + 1_000), first);
        assertEquals(first, journal().lease("engine").orElseThrow());
        PalyraException held =
                assertThrows(
                        PalyraException.class,
                        () -> journal().takeLease("engine", "boot-1/b", 1_000));
        assertEquals(ErrorCode.CONFLICT, held.code());
        assertTrue(held.getMessage().contains("boot-1/a"), held.getMessage());
        clock().advance(999);
        Rules.refused(ErrorCode.CONFLICT, () -> journal().takeLease("engine", "boot-1/b", 1_000));
        clock().advance(1);
        assertEquals(2, journal().takeLease("engine", "boot-1/b", 1_000).epoch());
    }

    @Test
    default void ownerRenewsUnderTheSameEpoch() {
        journal().takeLease("engine", "boot-1/a", 1_000);
        clock().advance(900);
        Lease renewed = journal().takeLease("engine", "boot-1/a", 1_000);
        assertEquals(1, renewed.epoch());
        assertEquals(clock().millis() + 1_000, renewed.expiresAtMillis());
    }

    @Test
    default void releasedLeaseIsFreeAtOnceAndItsEpochUsedUp() {
        journal().takeLease("engine", "boot-1/a", 60_000);
        journal().releaseLease("engine", "boot-1/b");
        Rules.refused(ErrorCode.CONFLICT, () -> journal().takeLease("engine", "boot-1/b", 1_000));
        journal().releaseLease("engine", "boot-1/a");
        journal().releaseLease("engine", "boot-1/a");
        assertEquals(2, journal().takeLease("engine", "boot-1/a", 1_000).epoch());
        journal().releaseLease("unheard-of", "boot-1/a");
        assertTrue(journal().lease("unheard-of").isEmpty());
    }

    @Test
    default void holderIsToldWhenItsLeaseWasTakenOver() {
        Lease mine = journal().takeLease("engine", "boot-1/a", 1_000);
        Precondition holds = new Precondition.HoldsLease("engine", "boot-1/a", mine.epoch());
        commit(holds, NOTHING);
        clock().advance(5_000);
        commit(holds, NOTHING);
        journal().takeLease("engine", "boot-1/b", 1_000);
        Rules.refused(ErrorCode.STALE_EPOCH, () -> commit(holds, NOTHING));
    }

    @Test
    default void holderThatReleasedHoldsNothing() {
        Lease mine = journal().takeLease("engine", "boot-1/a", 1_000);
        journal().releaseLease("engine", "boot-1/a");
        Rules.refused(
                ErrorCode.STALE_EPOCH,
                () ->
                        commit(
                                new Precondition.HoldsLease("engine", "boot-1/a", mine.epoch()),
                                NOTHING));
    }

    @Test
    default void epochsRiseOverRestarts() {
        journal().takeLease("engine", "boot-1/a", 60_000);
        journal().releaseLease("engine", "boot-1/a");
        reopen("boot-2");
        assertEquals(2, journal().takeLease("engine", "boot-2/a", 60_000).epoch());
    }

    @Test
    default void leaseOfAnEarlierStartOfTheProcessIsFree() {
        journal().takeLease("engine", "boot-1/a", 600_000);
        reopen("boot-2");
        assertEquals(2, journal().takeLease("engine", "boot-2/a", 600_000).epoch());
        Rules.refused(ErrorCode.CONFLICT, () -> journal().takeLease("engine", "boot-2/b", 1_000));
    }

    @Test
    default void leaseOfAnOwnerOutsideTheProcessRunsItsTimeOverRestarts() {
        journal().takeLease("shared", "other-machine", 600_000);
        reopen("boot-2");
        Rules.refused(ErrorCode.CONFLICT, () -> journal().takeLease("shared", "boot-2/a", 1_000));
    }

    @Test
    default void racedLeaseHasOneHolder() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            for (int round = 1; round <= 20; round++) {
                long won = 0;
                for (Future<Boolean> racer : threads.invokeAll(race(round), 20, TimeUnit.SECONDS)) {
                    won += racer.get() ? 1 : 0;
                }
                assertEquals(1, won);
                assertEquals(round, journal().lease("raced").orElseThrow().epoch());
                clock().advance(1_000);
            }
        }
    }

    private List<Callable<Boolean>> race(int round) {
        List<Callable<Boolean>> race = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            String owner = "boot-1/racer-" + round + "-" + i;
            race.add(() -> takes(owner));
        }
        return race;
    }

    private boolean takes(String owner) {
        try {
            journal().takeLease("raced", owner, 1_000);
            return true;
        } catch (PalyraException e) {
            assertEquals(ErrorCode.CONFLICT, e.code());
            return false;
        }
    }

    @Test
    default void timesOutsideTheLimitsAreRefused() {
        Rules.refused(ErrorCode.INVALID_ARGUMENT, () -> journal().takeLease("engine", "a", 999));
        Rules.refused(
                ErrorCode.INVALID_ARGUMENT, () -> journal().takeLease("engine", "a", 600_001));
        assertTrue(journal().lease("engine").isEmpty());
    }
}
