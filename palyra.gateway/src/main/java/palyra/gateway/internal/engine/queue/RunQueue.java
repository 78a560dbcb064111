package palyra.gateway.internal.engine.queue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalReader;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.gateway.internal.engine.lease.Fence;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.shared.gate.Gate;
import palyra.shared.outcome.Commits;

/**
 * Finds in the journal the runs that can continue, claims them for this engine and starts workers
 * for them, within the limit of active runs: running ones, answered ones and, when their session is
 * free, queued ones. A run that waits for approvals is not read before one is answered. A run that
 * fails here does not affect the others. Thread-safe.
 */
public final class RunQueue {
    private static final Logger LOG = LoggerFactory.getLogger(RunQueue.class);
    private static final Set<RunState> GOING = EnumSet.of(RunState.RUNNING);
    private static final Set<RunState> QUEUED = EnumSet.of(RunState.ACCEPTED);
    private static final Set<RunState> ACTIVE =
            EnumSet.of(RunState.RUNNING, RunState.AWAITING_APPROVAL);
    private static final int PAGE = 200;

    private final Gate<Journal> journal;
    private final Fence fence;
    private final Workers workers;
    private final RunStarter starter;
    private final RunFailures runFailures;
    private final IntSupplier mostUncleanEnds;
    private final Map<String, Long> queuedIn =
            new ConcurrentHashMap<>(); // session id → how often one was seen waiting
    private final ConcurrentLinkedQueue<String> unresumed =
            new ConcurrentLinkedQueue<>(); // RUNNING runs of an engine before that had no room yet
    private volatile long epoch;

    public RunQueue(
            Gate<Journal> journal,
            Fence fence,
            Workers workers,
            RunStarter starter,
            RunFailures runFailures,
            IntSupplier mostUncleanEnds) {
        this.journal = journal;
        this.fence = fence;
        this.workers = workers;
        this.starter = starter;
        this.runFailures = runFailures;
        this.mostUncleanEnds = mostUncleanEnds;
    }

    /**
     * Takes every run that is RUNNING under this epoch, many in one unit, and goes on with as many
     * runs as there is room for; the others follow when one of them ends.
     *
     * @param afterCrash whether the engine before died; a run that was RUNNING at too many such
     *     ends in a row is set aside, so that a run which crashes the process does not do so
     *     without end
     */
    public void open(long newEpoch, boolean afterCrash) {
        epoch = newEpoch;
        pages((j, after) -> j.runsIn(GOING, "", after, PAGE), page -> take(page, afterCrash));
        resumeTaken();
        resumeAnswered();
        pump();
    }

    private void take(List<RunRow> page, boolean afterCrash) {
        List<RunRow> older = page.stream().filter(row -> row.epoch() < epoch).toList();
        try {
            claim(older, afterCrash);
        } catch (PalyraException e) {
            if (StoreFailure.is(e.code())) {
                throw e;
            }
            older.forEach(row -> takeAlone(row, afterCrash)); // one of them is in the way
        }
        page.stream().map(RunRow::runId).forEach(unresumed::add);
    }

    private void takeAlone(RunRow row, boolean afterCrash) {
        try {
            claim(List.of(row), afterCrash);
        } catch (PalyraException e) {
            if (StoreFailure.is(e.code())) {
                throw e;
            }
            LOG.info("Run {} was not taken: {}", row.runId(), e.getMessage());
        }
    }

    private void claim(List<RunRow> rows, boolean afterCrash) {
        if (rows.isEmpty()) {
            return;
        }
        Unit.Builder unit = Unit.builder().require(fence.held());
        for (RunRow row : rows) {
            unit.add(new Operation.ClaimRun(row.runId(), epoch, afterCrash));
            if (!row.reason().isEmpty() && !isParked(row)) {
                unit.add(backToRunning(row.runId())); // its former reason to wait is out of date
            }
            if (afterCrash && row.attempts() + 1 >= mostUncleanEnds.getAsInt()) {
                int ends = row.attempts() + 1;
                String why =
                        "the gateway crashed while it worked on this run, "
                                + (ends == 1 ? "once" : ends + " times in a row")
                                + " (quarantineAfterUncleanEnds).";
                unit.add(RunFailures.move(row.runId(), why))
                        .add(RunFailures.event(row.runId(), row.attempts() + 1, why));
                LOG.warn("Run {} is QUARANTINED: {}", row.runId(), why);
            }
        }
        Commits.commit(journal, unit.build());
    }

    /** Goes on with runs that were taken when the engine began, as long as there is room. */
    private void resumeTaken() {
        for (String runId = unresumed.peek(); runId != null; runId = unresumed.peek()) {
            String next = runId;
            Optional<RunRow> row = journal.call(j -> j.run(next)).filter(this::isOrphan);
            if (row.isPresent()
                    && !workers.retake(row.get().sessionId(), next, row.get().surface())) {
                if (workers.isFull() || workers.stopping()) {
                    return; // it stays the next
                }
                row = Optional.empty(); // it is worked on
            }
            unresumed.poll();
            row.ifPresent(this::resumeReserved);
        }
    }

    /** Starts work on a run whose session was taken for it, if it is or becomes ours. */
    private void resumeReserved(RunRow row) {
        boolean ours = false;
        try {
            ours = isOurs(row);
        } finally {
            if (!ours) {
                workers.release(row.sessionId(), row.runId());
            }
        }
        if (ours) {
            starter.resume(row);
        }
    }

    private static Operation backToRunning(String runId) {
        return new Operation.MoveRun(runId, GOING, RunState.RUNNING, "");
    }

    private void forEach(
            BiFunction<JournalReader, String, List<RunRow>> read, Consumer<RunRow> what) {
        pages(read, page -> page.forEach(row -> isolated(row, what)));
    }

    private void pages(
            BiFunction<JournalReader, String, List<RunRow>> read, Consumer<List<RunRow>> what) {
        List<RunRow> page = journal.call(j -> read.apply(j, ""));
        while (!page.isEmpty() && !workers.stopping()) {
            what.accept(page);
            String last = page.getLast().runId();
            page = journal.call(j -> read.apply(j, last));
        }
    }

    /** A run that fails leaves the others alone; when the store is away nothing goes on. */
    private void isolated(RunRow row, Consumer<RunRow> what) {
        if (!runFailures.isDue(row.runId())) {
            return;
        }
        try {
            what.accept(row);
        } catch (PalyraException e) {
            if (StoreFailure.is(e.code())) {
                throw e;
            }
            LOG.info("Run {} waits for the next sweep: {}", row.runId(), e.getMessage());
            runFailures.notStarted(row, e);
        }
    }

    /**
     * Returns whether the run is held by this engine, taking it first when an engine before held
     * it.
     */
    private boolean isOurs(RunRow row) {
        if (row.epoch() < epoch) {
            Unit claim =
                    Unit.builder()
                            .require(fence.held())
                            .add(new Operation.ClaimRun(row.runId(), epoch))
                            .build();
            Commits.commit(journal, claim);
        }
        return row.epoch() <= epoch;
    }

    /** Returns whether a run was seen waiting in a session and may wait there still. */
    public boolean mayWait(String sessionId) {
        return queuedIn.containsKey(sessionId);
    }

    /**
     * Does as {@link #startNextOf} after a run of the session ended, if one was seen waiting. One
     * that was not seen yet is looked for by the caller that has just queued it.
     */
    public void startNextIfQueued(String sessionId) {
        if (queuedIn.containsKey(sessionId)) {
            startNextOf(sessionId);
        }
    }

    /**
     * Starts the oldest queued run of a session if the session is free. Called after a run of it
     * ended and after one was queued, so that whichever comes second finds it.
     */
    public void startNextOf(String sessionId) {
        if (workers.stopping()) {
            return;
        }
        Long noted = queuedIn.get(sessionId);
        List<RunRow> queued = journal.call(j -> j.runsIn(QUEUED, sessionId, "", 1));
        if (queued.isEmpty() && noted != null) {
            queuedIn.remove(sessionId, noted); // unless one more was noted meanwhile
        }
        queued.forEach(row -> isolated(row, this::startQueued));
    }

    /** Starts queued runs that the limit of their surface held back, as far as it has room now. */
    public void startHeldBack(String surface) {
        for (Optional<String> session = workers.heldBack(surface);
                session.isPresent();
                session = workers.heldBack(surface)) {
            startNextOf(session.get());
        }
    }

    private void note(String sessionId) {
        queuedIn.merge(sessionId, 1L, Long::sum);
    }

    private void startQueued(RunRow row) {
        note(row.sessionId()); // first, so that an end after it looks
        if (!workers.reserve(row.sessionId(), row.runId(), row.surface())) {
            return;
        }
        boolean may = false;
        try {
            may = !holdIfActive(row.sessionId()) && isOurs(row);
        } finally {
            if (!may) {
                workers.release(row.sessionId(), row.runId());
            }
        }
        if (may) {
            starter.resume(row);
        }
    }

    /**
     * Returns whether a run of the session is active, and remembers one that nothing here will go
     * on with until it goes on or ends: an engine learns of a waiting run from before its time when
     * it meets its session.
     */
    public boolean holdIfActive(String sessionId) {
        List<RunRow> active = journal.call(j -> j.runsIn(ACTIVE, sessionId, "", 1));
        active.stream()
                .filter(row -> row.state() == RunState.AWAITING_APPROVAL || isParked(row))
                .forEach(row -> hold(sessionId, row.runId()));
        return !active.isEmpty();
    }

    /** A run that ended after it was read has no worker to drop the note, so this does it. */
    private void hold(String sessionId, String runId) {
        workers.holdWaiting(sessionId, runId);
        if (journal.call(j -> j.run(runId)).filter(RunQueue::isActive).isEmpty()) {
            workers.dropWaiting(sessionId, runId);
        }
    }

    /** A run whose row was lost while it waited ends nowhere: its session goes on without it. */
    private void releaseLost(String sessionId) {
        workers.waitingIn(sessionId).ifPresent(runId -> hold(sessionId, runId));
    }

    private static boolean isActive(RunRow row) {
        return ACTIVE.contains(row.state());
    }

    private static boolean isParked(RunRow row) {
        return row.reason().startsWith(RunWorker.PARKED);
    }

    /** Goes on with runs that wait for people of whom one has answered. */
    public void resumeAnswered() {
        forEach(
                (j, after) -> j.answeredRuns(after, PAGE),
                row -> {
                    if (!isParked(row)) {
                        resume(row);
                    }
                });
    }

    private void resume(RunRow row) {
        if (workers.resume(row.sessionId(), row.runId(), row.surface())) {
            resumeReserved(row);
        }
    }

    /** Starts runs of any session when some were refused for want of room: first those begun. */
    public void pumpIfStarved() {
        if (workers.wasStarved()) {
            resumeTaken();
            pump();
        }
    }

    private void startOldest(RunRow row) {
        releaseLost(row.sessionId());
        startQueued(row);
    }

    /**
     * Starts the oldest queued run of each session, whose end starts the next; drops the note of a
     * session without a queued run.
     */
    private void pump() {
        Map<String, Long> noted = Map.copyOf(queuedIn);
        Set<String> sessions = new HashSet<>();
        pages(
                (j, after) -> j.runsIn(QUEUED, "", after, PAGE),
                page -> {
                    page.forEach(row -> note(row.sessionId())); // also one that is not due yet
                    page.stream()
                            .filter(row -> sessions.add(row.sessionId())) // the oldest of each
                            .forEach(row -> isolated(row, this::startOldest));
                });
        noted.forEach(queuedIn::remove); // unless one was noted meanwhile, by this look or another
    }

    /**
     * Looks for runs without a worker that could continue: hints may be lost and writes may go
     * unconfirmed. Each of the three searches runs, even when another one fails.
     */
    public void sweep() {
        List<PalyraException> failures = new ArrayList<>();
        attempt(failures, () -> forEach((j, a) -> j.runsIn(GOING, "", a, PAGE), this::adopt));
        attempt(failures, this::resumeAnswered);
        attempt(failures, this::pump);
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }

    private static void attempt(List<PalyraException> failures, Runnable look) {
        try {
            look.run();
        } catch (PalyraException e) {
            failures.add(e);
        }
    }

    /** A run that ended after it was read has no worker either: it is read again in its session. */
    private void adopt(RunRow read) {
        if (!isOrphan(read) || !workers.retake(read.sessionId(), read.runId(), read.surface())) {
            return;
        }
        Optional<RunRow> orphan = Optional.empty();
        try {
            orphan = journal.call(j -> j.run(read.runId())).filter(this::isOrphan);
        } finally {
            if (orphan.isEmpty()) {
                workers.release(read.sessionId(), read.runId());
            }
        }
        orphan.ifPresent(
                row -> {
                    LOG.info("Run {} had no worker; going on with it", row.runId());
                    resumeReserved(row);
                });
    }

    private boolean isOrphan(RunRow row) {
        return row.state() == RunState.RUNNING
                && row.epoch() <= epoch
                && !workers.isWorkedOn(row.runId())
                && !isParked(row);
    }

    /**
     * Cancels a run that has not ended, at once when it is being worked on, else by a worker that
     * does nothing else.
     */
    public void cancel(RunRow row, String reason) {
        if (workers.cancel(row.runId(), reason)
                || !runFailures.isDue(row.runId())
                || !isOurs(row)) {
            return;
        }
        WorkerFlags flags = new WorkerFlags();
        if (row.state() == RunState.QUARANTINED) {
            flags.cancelUnread(reason);
        } else {
            flags.cancel(reason);
        }
        starter.resume(row, flags);
    }

    /**
     * Goes on with a run that is set aside; false when it is not.
     *
     * @throws PalyraException CONFLICT while another run of its session is active
     */
    public boolean retry(String runId) {
        Optional<RunRow> found =
                journal.call(j -> j.run(runId))
                        .filter(row -> row.state() == RunState.QUARANTINED)
                        .filter(this::isOurs);
        if (found.isEmpty()) {
            return false;
        }
        RunState last = LastState.of(journal, runId);
        Unit unit =
                Unit.builder()
                        .require(fence.held())
                        .add(
                                new Operation.MoveRun(
                                        runId, EnumSet.of(RunState.QUARANTINED), last, ""))
                        .add(new Operation.NoteAttempts(runId, 0))
                        .build();
        Commits.commit(journal, unit);
        runFailures.over(runId);
        LOG.info("Run {} is tried again: it was QUARANTINED and is {} now", runId, last);
        sweep();
        return true;
    }
}
