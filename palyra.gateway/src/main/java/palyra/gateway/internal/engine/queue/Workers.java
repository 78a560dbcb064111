package palyra.gateway.internal.engine.queue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.RunRow;
import palyra.gateway.internal.engine.run.WorkerFlags;

/**
 * The workers: at most one for each run, at most one run for each session, and at most so many at a
 * time. Thread-safe.
 */
public final class Workers {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final long STOP_SECONDS = 15;

    /** Most sessions of a surface that are remembered as held back; the sweep finds the others. */
    private static final int MOST_HELD_BACK = 1_000;

    private final IntSupplier most;
    private final SurfaceLimits limits;
    private final Consumer<RunRow> whenEnded;
    private final Map<String, RunWorker> workers = new ConcurrentHashMap<>();
    private final AtomicLong started = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Busy> busySessions = new HashMap<>(); // by id; guarded by lock
    private final Map<String, Integer> busySurfaces =
            new HashMap<>(); // surface → how many of the busy sessions; guarded by lock
    private final Map<String, SequencedSet<String>> heldBack =
            new HashMap<>(); // surface → sessions that its limit held back; guarded by lock
    private final Map<String, String> waitingSessions =
            new HashMap<>(); // held by a run that waits for people, as far as known; guarded by
    // lock
    private boolean starved; // guarded by lock
    private boolean missed; // guarded by lock
    private volatile boolean stopping;

    /** What holds a session. */
    private record Busy(String runId, String surface) {}

    /**
     * Creates it.
     *
     * @param most most runs at a time
     * @param limits most runs of a surface at a time
     * @param whenEnded told of each run that its worker left
     */
    public Workers(IntSupplier most, SurfaceLimits limits, Consumer<RunRow> whenEnded) {
        this.most = most;
        this.limits = limits;
        this.whenEnded = whenEnded;
    }

    /** Makes a worker for a run; may read the journal. */
    interface Factory {
        RunWorker make(Runnable whenEnded);
    }

    /** Takes a session for a run; false when it is taken, no room is left, or everything stops. */
    public boolean reserve(String sessionId, String runId, String surface) {
        int mostOfSurface = limits.mostRuns(surface);
        lock.lock();
        try {
            if (stopping
                    || busySessions.containsKey(sessionId)
                    || waitingSessions.containsKey(sessionId)) {
                return false;
            }
            if (busySessions.size() >= most.getAsInt()) {
                starved = true;
                return false;
            }
            if (busySurfaces.getOrDefault(surface, 0) >= mostOfSurface) {
                holdBack(sessionId, surface);
                return false;
            }
            take(sessionId, runId, surface);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void holdBack(String sessionId, String surface) {
        SequencedSet<String> sessions =
                heldBack.computeIfAbsent(surface, unused -> new LinkedHashSet<>());
        if (sessions.size() < MOST_HELD_BACK) {
            sessions.add(sessionId);
        }
    }

    /**
     * Returns, once, a session whose next run the limit of its surface held back, if that surface
     * has room now; the one that was held back first.
     */
    Optional<String> heldBack(String surface) {
        int mostOfSurface = limits.mostRuns(surface);
        lock.lock();
        try {
            SequencedSet<String> sessions = heldBack.get(surface);
            if (sessions == null || busySurfaces.getOrDefault(surface, 0) >= mostOfSurface) {
                return Optional.empty();
            }
            String first = sessions.removeFirst();
            if (sessions.isEmpty()) {
                heldBack.remove(surface);
            }
            return Optional.of(first);
        } finally {
            lock.unlock();
        }
    }

    private void take(String sessionId, String runId, String surface) {
        busySessions.put(sessionId, new Busy(runId, surface));
        busySurfaces.merge(surface, 1, Integer::sum);
    }

    private void leave(String sessionId, String runId) {
        Busy busy = busySessions.get(sessionId);
        if (busy != null && busy.runId().equals(runId)) {
            busySessions.remove(sessionId);
            busySurfaces.computeIfPresent(
                    busy.surface(), (surface, count) -> count == 1 ? null : count - 1);
        }
    }

    /**
     * Takes a session for a run that waits for people and was answered; false, to be tried again
     * when a run has ended, when it is worked on still or no room is left.
     */
    boolean resume(String sessionId, String runId, String surface) {
        lock.lock();
        try {
            boolean full = busySessions.size() >= most.getAsInt();
            if (stopping || full || busySessions.containsKey(sessionId)) {
                missed = true;
                return false;
            }
            take(sessionId, runId, surface);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether an answered run could not go on since the last call. */
    public boolean missedAnswers() {
        lock.lock();
        try {
            boolean was = missed;
            missed = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a run of the session waits for people: no other may start, none takes room. */
    void holdWaiting(String sessionId, String runId) {
        lock.lock();
        try {
            waitingSessions.put(sessionId, runId);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the run that is noted so for a session. */
    Optional<String> waitingIn(String sessionId) {
        lock.lock();
        try {
            return Optional.ofNullable(waitingSessions.get(sessionId));
        } finally {
            lock.unlock();
        }
    }

    /** Takes such a note back. */
    void dropWaiting(String sessionId, String runId) {
        lock.lock();
        try {
            waitingSessions.remove(sessionId, runId);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a session for a run that already is RUNNING in the journal; false when it is worked on,
     * or for want of room, to be tried again when a run has ended.
     */
    boolean retake(String sessionId, String runId, String surface) {
        lock.lock();
        try {
            if (stopping || busySessions.containsKey(sessionId)) {
                return false;
            }
            if (busySessions.size() >= most.getAsInt()) {
                starved = true;
                return false;
            }
            take(sessionId, runId, surface);
            return true;
        } finally {
            lock.unlock();
        }
    }

    public void release(String sessionId, String runId) {
        lock.lock();
        try {
            leave(sessionId, runId);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether there is no room for one more run. */
    boolean isFull() {
        lock.lock();
        try {
            return busySessions.size() >= most.getAsInt();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a run was refused because no slot was free and was not retried since. */
    public boolean isStarved() {
        lock.lock();
        try {
            return starved;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a run was refused because no slot was free since the last call. */
    boolean wasStarved() {
        lock.lock();
        try {
            boolean was = starved;
            starved = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts work on a run whose session was taken for it, on a thread of its own.
     *
     * @param whenImpossible told why no worker could be made; the session is still taken
     */
    void launch(
            RunRow row, WorkerFlags flags, Factory factory, Consumer<Throwable> whenImpossible) {
        Thread.ofVirtual()
                .name("palyra-run-" + row.runId())
                .start(() -> work(row, flags, factory, whenImpossible));
    }

    private void work(
            RunRow row, WorkerFlags flags, Factory factory, Consumer<Throwable> whenImpossible) {
        RunWorker worker;
        try {
            worker = factory.make(() -> ended(row));
        } catch (RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError e) {
            LOG.warn("Run {} waits for the next sweep: {}", row.runId(), e.toString());
            try {
                whenImpossible.accept(e);
            } finally {
                release(row.sessionId(), row.runId());
            }
            return;
        }
        RunWorker other = workers.putIfAbsent(row.runId(), worker);
        if (other != null) {
            if (flags.cancelling()) {
                other.cancel(flags.cancelReason());
            }
            return;
        }
        started.incrementAndGet();
        if (stopping) {
            worker.stop();
        }
        worker.run();
    }

    /**
     * A waiting run keeps its session and gives back its room. All in one step: a worker that comes
     * after this one must find what this one left, not have it overwritten.
     */
    private void ended(RunRow row) {
        lock.lock();
        try {
            RunWorker worker = workers.remove(row.runId());
            leave(row.sessionId(), row.runId());
            if (worker != null && worker.leftWaiting()) {
                waitingSessions.put(row.sessionId(), row.runId());
            } else {
                waitingSessions.remove(row.sessionId(), row.runId());
            }
        } finally {
            lock.unlock();
        }
        whenEnded.accept(row);
    }

    /** Asks the worker of a run to cancel it; false when the run has no worker. */
    boolean cancel(String runId, String reason) {
        RunWorker worker = workers.get(runId);
        if (worker == null) {
            return false;
        }
        worker.cancel(reason);
        return true;
    }

    boolean isWorkedOn(String runId) {
        return workers.containsKey(runId);
    }

    public int active() {
        return workers.size();
    }

    public long started() {
        return started.get();
    }

    boolean stopping() {
        return stopping;
    }

    /** Stops every worker at its next record; waits at most 15 seconds. */
    public void stop() {
        stopping = true;
        workers.values().forEach(RunWorker::stop);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        while (!workers.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        if (!workers.isEmpty()) {
            LOG.warn(
                    "{} runs did not stop in time; their epoch keeps them from writing",
                    workers.size());
        }
    }
}
