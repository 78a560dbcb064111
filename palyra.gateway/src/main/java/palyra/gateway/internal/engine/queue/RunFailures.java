package palyra.gateway.internal.engine.queue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.EnumSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.engine.lease.Fence;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.outcome.Commits;

/**
 * Runs that the engine cannot continue: each is retried a few times, with growing delay, and then
 * set aside as QUARANTINED with the reason. Its session continues without it. Thread-safe.
 */
public final class RunFailures {
    /** How often a run is tried in a row before it is set aside. */
    public static final int MOST_ATTEMPTS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(RunFailures.class);
    private static final EnumSet<RunState> OPEN =
            EnumSet.of(RunState.ACCEPTED, RunState.RUNNING, RunState.AWAITING_APPROVAL);

    private final Gate<Journal> journal;
    private final Fence fence;
    private final Setbacks setbacks;

    public RunFailures(Gate<Journal> journal, Fence fence, Setbacks setbacks) {
        this.journal = journal;
        this.fence = fence;
        this.setbacks = setbacks;
    }

    /** Returns whether a run may be tried now. */
    boolean isDue(String runId) {
        return setbacks.isDue(Setback.Kind.RUN, runId);
    }

    /** A run went on, or ended. */
    void over(String runId) {
        setbacks.succeeded(Setback.Kind.RUN, runId);
    }

    /** No worker could be made for a run. The store's own troubles are not the run's. */
    void notStarted(RunRow row, Throwable why) {
        if (why instanceof PalyraException known && StoreFailure.is(known.code())) {
            setbacks.failed(Setback.Kind.RUN, row.runId(), known.getMessage());
        } else {
            cannotGoOn(row, why instanceof PalyraException ? why.getMessage() : why.toString());
        }
    }

    /** A worker could neither continue nor end the run. */
    void cannotGoOn(RunRow row, String why) {
        int attempts = setbacks.failed(Setback.Kind.RUN, row.runId(), why);
        try {
            if (attempts >= MOST_ATTEMPTS) {
                quarantine(row, attempts, "it was tried " + attempts + " times: " + why);
            }
        } catch (PalyraException e) {
            LOG.warn(
                    "Run {} could not be set aside and is tried again: {}",
                    row.runId(),
                    e.getMessage());
        }
    }

    /** A run is in order, but something else keeps it from starting. */
    void blocked(RunRow row, String why) {
        setbacks.failed(Setback.Kind.RUN, row.runId(), why);
    }

    /** Sets a run aside that this engine holds. */
    void quarantine(RunRow row, int attempts, String why) {
        Unit unit =
                Unit.builder()
                        .require(fence.held())
                        .require(new Precondition.Epoch(row.runId(), fence.epoch()))
                        .add(move(row.runId(), why))
                        .add(new Operation.NoteAttempts(row.runId(), attempts))
                        .add(event(row.runId(), attempts, why))
                        .build();
        Commits.commit(journal, unit);
        LOG.warn("Run {} is QUARANTINED: {}", row.runId(), why);
        over(row.runId());
    }

    static Operation.MoveRun move(String runId, String why) {
        return new Operation.MoveRun(
                runId,
                OPEN,
                RunState.QUARANTINED,
                why
                        + " Retry it: palyra run retry "
                        + runId
                        + "; or end it: palyra run cancel "
                        + runId
                        + ".");
    }

    static Operation.Append event(String runId, int attempts, String why) {
        byte[] payload =
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("runId", runId)
                                .put("attempts", attempts)
                                .put("reason", why));
        return new Operation.Append(TapeRecord.JOURNAL_STREAM, "run_quarantined", 1, payload);
    }
}
