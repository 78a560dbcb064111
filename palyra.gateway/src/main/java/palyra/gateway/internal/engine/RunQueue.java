package palyra.gateway.internal.engine;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalReader;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.shared.gate.Gate;

/**
 * Finds in the journal the runs that can go on, takes them for this engine and puts workers at
 * them: running ones, answered ones and, when their session is free, queued ones. A run that waits
 * for people is not looked at before one of them has answered. Thread-safe.
 */
final class RunQueue {
    private static final Logger LOG = LoggerFactory.getLogger(RunQueue.class);
    private static final Set<RunState> GOING = EnumSet.of(RunState.RUNNING);
    private static final Set<RunState> QUEUED = EnumSet.of(RunState.ACCEPTED);
    private static final Set<RunState> WAITING = EnumSet.of(RunState.AWAITING_APPROVAL);
    private static final int PAGE = 200;

    private final Gate<Journal> journal;
    private final Fence fence;
    private final Workers workers;
    private final RunStarter starter;
    private final Map<String, Long> queuedIn =
            new ConcurrentHashMap<>(); // session id → how often one was seen waiting
    private volatile long epoch;

    RunQueue(Gate<Journal> journal, Fence fence, Workers workers, RunStarter starter) {
        this.journal = journal;
        this.fence = fence;
        this.workers = workers;
        this.starter = starter;
    }

    /** Goes on with every run that can, under this epoch from now on. */
    void open(long newEpoch) {
        epoch = newEpoch;
        forEach(GOING, this::claim);
        forEach((j, after) -> j.answeredRuns(after, PAGE), this::resume);
        pump();
    }

    private void forEach(Set<RunState> states, Consumer<RunRow> what) {
        forEach((j, after) -> j.runsIn(states, "", after, PAGE), what);
    }

    private void forEach(
            BiFunction<JournalReader, String, List<RunRow>> read, Consumer<RunRow> what) {
        String after = "";
        List<RunRow> page;
        do {
            String from = after;
            page = journal.call(j -> read.apply(j, from));
            for (RunRow row : page) {
                what.accept(row);
                after = row.runId();
            }
        } while (page.size() == PAGE && !workers.stopping());
    }

    private void claim(RunRow row) {
        if (isOurs(row) && workers.retake(row.sessionId(), row.runId())) {
            starter.goOnWith(row, new WorkerFlags());
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
            journal.run(j -> j.commit(claim));
        }
        return row.epoch() <= epoch;
    }

    /**
     * Does as {@link #startNextOf} after a run of the session ended, if one was seen waiting. One
     * that was not seen yet is being looked for by whoever has just queued it.
     */
    void startNextIfQueued(String sessionId) {
        if (queuedIn.containsKey(sessionId)) {
            startNextOf(sessionId);
        }
    }

    /**
     * Starts the oldest queued run of a session if the session is free. Called after a run of it
     * ended and after one was queued, so that whichever comes second finds it.
     */
    void startNextOf(String sessionId) {
        if (workers.stopping()) {
            return;
        }
        Long noted = queuedIn.get(sessionId);
        List<RunRow> queued = journal.call(j -> j.runsIn(QUEUED, sessionId, "", 1));
        if (queued.isEmpty() && noted != null) {
            queuedIn.remove(sessionId, noted); // unless one more was noted meanwhile
        }
        queued.forEach(this::startQueued);
    }

    private void startQueued(RunRow row) {
        queuedIn.merge(row.sessionId(), 1L, Long::sum); // first, so that an end after it looks
        if (!workers.reserve(row.sessionId(), row.runId())) {
            return;
        }
        boolean may = false;
        try {
            may = !holdIfWaiting(row.sessionId()) && isOurs(row);
        } finally {
            if (!may) {
                workers.release(row.sessionId(), row.runId());
            }
        }
        if (may) {
            starter.goOnWith(row, new WorkerFlags());
        }
    }

    /**
     * Returns whether a run of the session waits for people, and remembers it until that run goes
     * on or ends: an engine learns of a waiting run from before its time when it meets its session.
     */
    boolean holdIfWaiting(String sessionId) {
        List<RunRow> waiting = journal.call(j -> j.runsIn(WAITING, sessionId, "", 1));
        waiting.forEach(row -> hold(sessionId, row.runId()));
        return !waiting.isEmpty();
    }

    /** A run that ended after it was read has nobody left to take the note back but us. */
    private void hold(String sessionId, String runId) {
        workers.holdWaiting(sessionId, runId);
        if (journal.call(j -> j.run(runId)).filter(row -> !row.state().terminal()).isEmpty()) {
            workers.dropWaiting(sessionId, runId);
        }
    }

    /** Goes on with runs that wait for people of whom one has answered. */
    void resumeAnswered() {
        forEach(
                (j, after) -> j.answeredRuns(after, PAGE),
                row -> {
                    if (!row.reason().startsWith(RunWorker.PARKED)) {
                        resume(row);
                    }
                });
    }

    private void resume(RunRow row) {
        if (!workers.resume(row.sessionId(), row.runId())) {
            return;
        }
        boolean ours = false;
        try {
            ours = isOurs(row);
        } finally {
            if (!ours) {
                workers.release(row.sessionId(), row.runId());
            }
        }
        if (ours) {
            starter.goOnWith(row, new WorkerFlags());
        }
    }

    /** Starts queued runs of any session when some were refused for want of room. */
    void pumpIfStarved() {
        if (workers.wasStarved()) {
            pump();
        }
    }

    /** Starts what is queued; a session in which nothing was seen waiting is noted no longer. */
    private void pump() {
        Map<String, Long> noted = Map.copyOf(queuedIn);
        forEach(QUEUED, this::startQueued);
        noted.forEach(queuedIn::remove); // unless one was noted meanwhile, by this look or another
    }

    /**
     * Looks for runs that nobody works on although they could go on: hints may be lost and writes
     * may go unconfirmed.
     */
    void sweep() {
        forEach(GOING, this::adopt);
        resumeAnswered();
        pump();
    }

    /** A run that ended after it was read has no worker either: it is read again in its session. */
    private void adopt(RunRow read) {
        if (!isOrphan(read) || !workers.retake(read.sessionId(), read.runId())) {
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
                    LOG.warn("Run {} had no worker; going on with it", row.runId());
                    starter.goOnWith(row, new WorkerFlags());
                });
    }

    private boolean isOrphan(RunRow row) {
        return row.state() == RunState.RUNNING
                && row.epoch() == epoch
                && !workers.isWorkedOn(row.runId())
                && !row.reason().startsWith(RunWorker.PARKED);
    }

    /**
     * Cancels a run that has not ended, at once when it is being worked on, else by a worker that
     * does nothing else.
     */
    void cancel(RunRow row, String reason) {
        if (!workers.cancel(row.runId(), reason) && isOurs(row)) {
            WorkerFlags flags = new WorkerFlags();
            flags.cancel(reason);
            starter.goOnWith(row, flags);
        }
    }
}
