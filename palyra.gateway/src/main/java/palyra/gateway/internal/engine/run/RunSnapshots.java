package palyra.gateway.internal.engine.run;

import java.util.Optional;
import java.util.concurrent.Semaphore;
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
import palyra.gateway.internal.engine.lease.Fence;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.fold.Snapshot;
import palyra.shared.fold.Call;
import palyra.shared.gate.Gate;
import palyra.shared.sealed.RunSecrets;

/**
 * The snapshot of one run: the state that its tape folds to at some record, so that continuing the
 * run reads only what follows. It is written now and then, and no caller waits for it. If anything
 * is wrong with it, the whole tape is folded instead. It never holds what the tape keeps sealed.
 * Used by the run's worker only.
 */
public final class RunSnapshots {
    /** Records after which another one is written. */
    public static final int EVERY = 1_000;

    /** The same when the run begins to wait for people. */
    public static final int EVERY_WAIT = 100;

    /** A large one is written less often: after a record for so many bytes of the one before. */
    public static final int BYTES_A_RECORD = 1_024;

    /** Most that are on their way to the journal, of all runs. */
    public static final int MOST_UNDER_WAY = 4;

    private static final Logger LOG = LoggerFactory.getLogger(RunSnapshots.class);

    private final String runId;
    private final Fence fence;
    private final Gate<Journal> journal;
    private final RunSecrets secrets;
    private final Semaphore room;
    private int lastBytes;
    private long lastSeq; // of the last one that was read, written or not to be had

    /**
     * Creates them.
     *
     * @param room one permit for each that may be on its way to the journal, shared by all runs
     */
    RunSnapshots(
            String runId, Fence fence, Gate<Journal> journal, RunSecrets secrets, Semaphore room) {
        this.runId = runId;
        this.fence = fence;
        this.journal = journal;
        this.secrets = secrets;
        this.room = room;
    }

    /**
     * Returns the history that the snapshot holds; empty without a snapshot that this engine can
     * read.
     *
     * @throws PalyraException UNAVAILABLE kinds while the journal or the vault is away
     */
    Optional<RunHistory> read() {
        return stored().flatMap(this::history);
    }

    /** The records after it do not follow from what it held. */
    void wrong(String why) {
        LOG.warn("The snapshot of run {} is wrong, its tape is read instead: {}", runId, why);
        wrote(0, 0);
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
        history.ifPresentOrElse(
                found -> wrote(found.seq(), snapshot.content().length),
                () ->
                        LOG.info(
                                "The snapshot of run {} has form {} or content that this engine does"
                                        + " not support; its tape is read from the beginning",
                                runId,
                                snapshot.format()));
        return history;
    }

    private void wrote(long seq, int bytes) {
        lastSeq = seq;
        lastBytes = bytes;
    }

    /** Has a snapshot written if one is due, and if there is room for it. */
    void offer(RunHistory history) {
        if (history.seq() - lastSeq < every(history.state())
                || isSealed(history)
                || !room.tryAcquire()) {
            return;
        }
        Optional<byte[]> content = Snapshot.write(history, RunSnapshot.MAX_BYTES);
        wrote(history.seq(), content.map(bytes -> bytes.length).orElse(RunSnapshot.MAX_BYTES));
        if (content.isPresent()) {
            write(new RunSnapshot(runId, lastSeq, Snapshot.FORMAT, content.get()));
        } else {
            room.release();
        }
    }

    private long every(RunState state) {
        long atLeast =
                state == RunState.RUNNING
                        ? EVERY
                        : state == RunState.AWAITING_APPROVAL ? EVERY_WAIT : Long.MAX_VALUE;
        return Math.max(atLeast, lastBytes / BYTES_A_RECORD);
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
        boolean underWay = false;
        try {
            journal.call(j -> j.submit(unit)).whenComplete((done, failure) -> over(failure));
            underWay = true;
        } catch (PalyraException e) {
            LOG.debug("No snapshot of run {} was written: {}", runId, e.getMessage());
        } finally {
            if (!underWay) {
                room.release();
            }
        }
    }

    private void over(Throwable failure) {
        room.release();
        if (failure != null) {
            LOG.debug("No snapshot of run {} was written: {}", runId, failure.getMessage());
        }
    }
}
