package palyra.access.internal;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;

/** Commits with a deadline of the caller's own. The wait is outside the lease. */
final class Recorder {
    private final Gate<Journal> journal;

    Recorder(Gate<Journal> journal) {
        this.journal = journal;
    }

    /** Commits as the journal allows. */
    Committed commit(Unit unit) {
        return journal.call(present -> present.commit(unit));
    }

    /**
     * Commits within {@code millis} in all, of which at most {@code absentMillis} go by waiting for
     * a journal.
     *
     * @throws PalyraException TIMED_OUT when it was handed in but is not durable yet, or what the
     *     journal says
     */
    Committed commitWithin(Unit unit, long absentMillis, long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        CompletionStage<Committed> handedIn;
        try (Gate.Lease<Journal> lease = journal.lease(Math.min(absentMillis, millis))) {
            handedIn = lease.service().submit(unit);
        }
        try {
            return handedIn.toCompletableFuture()
                    .get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PalyraException refused) {
                throw refused;
            }
            throw new PalyraException(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    "The journal failed on a record of access; run palyra doctor.",
                    e);
        } catch (TimeoutException e) {
            throw new PalyraException(
                    ErrorCode.TIMED_OUT,
                    "The journal did not take a record of access within " + millis + " ms.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED, "Recording a decision was interrupted.", e);
        }
    }
}
