package palyra.gateway.internal.engine;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.gateway.internal.fold.Call;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.fold.Snapshot;
import palyra.shared.gate.Gate;
import palyra.shared.sealed.RunSecrets;

/**
 * The snapshot of one run: what its tape folds to up to some record, so that going on with the run
 * reads only what follows. It is written now and then without anybody waiting for it, and whatever
 * is wrong with it, the tape is folded instead. It never holds what the tape keeps sealed. Used by
 * the run's worker only.
 */
final class RunSnapshots {
    /** Records after which another one is written. */
    static final int EVERY = 1_000;

    /** The same when the run begins to wait for people. */
    static final int EVERY_WAIT = 100;

    private static final Logger LOG = LoggerFactory.getLogger(RunSnapshots.class);

    private final String runId;
    private final Fence fence;
    private final Gate<Journal> journal;
    private final RunSecrets secrets;
    private long lastSeq; // of the last one that was read, written or not to be had

    RunSnapshots(String runId, Fence fence, Gate<Journal> journal, RunSecrets secrets) {
        this.runId = runId;
        this.fence = fence;
        this.journal = journal;
        this.secrets = secrets;
    }

    /**
     * Returns the history that the snapshot holds; empty when there is none that this engine reads.
     *
     * @throws PalyraException UNAVAILABLE kinds while the journal or the vault is away
     */
    Optional<RunHistory> read() {
        Optional<RunHistory> history = stored().flatMap(this::history);
        history.ifPresent(found -> lastSeq = found.seq());
        return history;
    }

    /** The records after it do not follow from what it held. */
    void wrong(String why) {
        LOG.warn("The snapshot of run {} is wrong, its tape is read instead: {}", runId, why);
        lastSeq = 0;
    }

    private Optional<RunSnapshot> stored() {
        try {
            return journal.call(j -> j.snapshot(runId));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            LOG.warn("The snapshot of run {} cannot be read: {}", runId, e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<RunHistory> history(RunSnapshot snapshot) {
        Optional<RunHistory> history =
                snapshot.format() == Snapshot.FORMAT
                        ? Snapshot.read(snapshot.content(), secrets::isPublic)
                                .filter(found -> found.seq() == snapshot.seq())
                        : Optional.empty();
        if (history.isEmpty()) {
            LOG.info(
                    "The snapshot of run {} has form {} or says what this engine does not go on"
                            + " from; its tape is read from the beginning",
                    runId,
                    snapshot.format());
        }
        return history;
    }

    /** Has a snapshot written if one is due. */
    void offer(RunHistory history) {
        if (history.seq() - lastSeq < every(history.state()) || isSealed(history)) {
            return;
        }
        lastSeq = history.seq();
        Snapshot.write(history, RunSnapshot.MAX_BYTES)
                .ifPresent(
                        content ->
                                write(new RunSnapshot(runId, lastSeq, Snapshot.FORMAT, content)));
    }

    private static long every(RunState state) {
        return switch (state) {
            case RUNNING -> EVERY;
            case AWAITING_APPROVAL -> EVERY_WAIT;
            default -> Long.MAX_VALUE;
        };
    }

    /** The input of such a call is known here and sealed on the tape. */
    private boolean isSealed(RunHistory history) {
        return history.calls().stream().map(Call::callId).anyMatch(secrets::withholds);
    }

    private void write(RunSnapshot snapshot) {
        Unit unit =
                Unit.builder()
                        .lane(Unit.Lane.BULK)
                        .require(fence.held())
                        .require(new Precondition.Epoch(runId, fence.epoch()))
                        .add(new Operation.PutSnapshot(snapshot))
                        .build();
        try {
            journal.call(j -> j.submit(unit)).whenComplete((done, failure) -> notWritten(failure));
        } catch (PalyraException e) {
            notWritten(e);
        }
    }

    private void notWritten(Throwable failure) {
        if (failure != null) {
            LOG.debug("No snapshot of run {} was written: {}", runId, failure.getMessage());
        }
    }
}
