package palyra.shared.outcome;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;

/**
 * Commits units until their outcome is known. A commit that ended as OUTCOME_UNKNOWN is handed in
 * again with the same key, which either finds that it happened or makes it happen; it never happens
 * twice. Any other refusal of the first try is passed on at once: it did not happen. Thread-safe.
 */
public final class Commits {
    private static final Ulids IDS = new Ulids();
    private static final String SCOPE = "commit";
    private static final long PATIENCE_MILLIS = 5_000;
    private static final long PAUSE_MILLIS = 100;

    private Commits() {}

    /**
     * Commits a unit, for at most five seconds longer than one commit takes. A unit that has
     * neither an idempotency key nor a step gets a key of its own.
     *
     * @throws PalyraException OUTCOME_UNKNOWN when it could not be found out in time; else as
     *     {@link Journal#commit}
     */
    public static Committed commit(Gate<Journal> journal, Unit unit) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        return commit(journal, unit, () -> System.nanoTime() - deadline < 0);
    }

    /**
     * Commits a unit, trying again to find out what became of it while {@code goesOn} says so. The
     * caller is not to be interrupted: an interrupted thread gives up.
     */
    public static Committed commit(Gate<Journal> journal, Unit unit, BooleanSupplier goesOn) {
        Unit once = unit.idempotencyKey().isPresent() || hasStep(unit) ? unit : keyed(unit);
        PalyraException unknown;
        try {
            return journal.call(present -> present.commit(once));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.OUTCOME_UNKNOWN) {
                throw e;
            }
            unknown = e;
        }
        return findOut(journal, once, goesOn, unknown);
    }

    private static boolean hasStep(Unit unit) {
        return unit.step().isPresent();
    }

    private static Unit keyed(Unit unit) {
        String key = IDS.next();
        return unit.once(new IdempotencyKey(SCOPE, key, key));
    }

    private static Committed findOut(
            Gate<Journal> journal, Unit once, BooleanSupplier goesOn, PalyraException unknown) {
        while (goesOn.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            try {
                return journal.call(present -> present.commit(once));
            } catch (PalyraException e) {
                if (!tellsNothing(e.code())) {
                    throw e;
                }
            }
        }
        throw unknown;
    }

    /** These say that this try did not happen, and nothing about the first. */
    private static boolean tellsNothing(ErrorCode code) {
        return switch (code) {
            case OUTCOME_UNKNOWN,
                    JOURNAL_UNAVAILABLE,
                    KEYS_UNAVAILABLE,
                    TIMED_OUT,
                    DISK_FULL,
                    READ_ONLY,
                    RESOURCE_EXHAUSTED ->
                    true;
            default -> false;
        };
    }
}
