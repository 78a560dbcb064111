package palyra.policy.internal.plan;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.gate.Gate;

/**
 * Decides recorded policy requests again by a set that is not in force, or under assumptions. Reads
 * page by page and keeps neither records nor policy requests; the same policy request is decided
 * once as long as it is remembered. Changes nothing. Thread-safe.
 */
public final class Plan {
    /** Most decisions to read by default. */
    public static final int USUAL_LIMIT = 100_000;

    /** Most decisions that can be looked at. */
    public static final int MOST = 5_000_000;

    private static final int BATCH = 1_000;

    private final Gate<Journal> journal;
    private final UnaryOperator<PolicyRequest> assumed;

    /**
     * Creates it.
     *
     * @param assumed returns what the new set is asked in place of a recorded policy request
     */
    public Plan(Gate<Journal> journal, UnaryOperator<PolicyRequest> assumed) {
        this.journal = Objects.requireNonNull(journal, "journal");
        this.assumed = Objects.requireNonNull(assumed, "assumed");
    }

    /**
     * Replays decisions, the newest first.
     *
     * @param inForce the set in force, to say what it would do already
     * @param sinceMillis unix time in milliseconds of the oldest decision
     * @param limit how many at most
     * @param cancelled asked between pages
     * @throws PalyraException JOURNAL_UNAVAILABLE, CANCELLED
     */
    public PlanReport run(
            Snapshot candidate,
            Optional<Snapshot> inForce,
            long sinceMillis,
            int limit,
            BooleanSupplier cancelled) {
        try (PlanRun run = new PlanRun(candidate, inForce, assumed)) {
            DecisionPages pages = new DecisionPages(journal, sinceMillis);
            int left = limit;
            List<RecordedDecision> batch = pages.next(Math.min(BATCH, left));
            while (!batch.isEmpty()) {
                run.take(batch);
                left -= batch.size();
                if (cancelled.getAsBoolean()) {
                    throw stopped(null);
                }
                batch = left == 0 ? List.of() : pages.next(Math.min(BATCH, left));
            }
            boolean complete = left > 0 || pages.next(1).isEmpty();
            return run.report(pages.counts().broken, complete);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopped(e);
        }
    }

    private static PalyraException stopped(Throwable cause) {
        return new PalyraException(
                ErrorCode.CANCELLED, "The plan was stopped; nothing was changed.", cause);
    }
}
