package palyra.sandbox.internal.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** The runs that have not ended, by call id. Thread-safe. */
final class RunningCommands {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();
    private final Map<String, LiveRun> runs = new HashMap<>(); // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * Takes a run in.
     *
     * @param most most at one time, tests of sandboxes not counted
     * @throws PalyraException TOOL_UNAVAILABLE once it is closed, ALREADY_EXISTS for an id that
     *     runs, RESOURCE_EXHAUSTED when there are too many
     */
    void admit(LiveRun run, int most) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The sandboxes are being replaced or removed.");
            }
            if (runs.containsKey(run.callId())) {
                throw new PalyraException(
                        ErrorCode.ALREADY_EXISTS,
                        "Call " + run.callId() + " is already running; it was not started again.");
            }
            long occupied = runs.values().stream().filter(RunningCommands::counts).count();
            if (counts(run) && occupied >= most) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        occupied
                                + " sandboxed commands are running, and at most "
                                + most
                                + " may; wait for one to end.");
            }
            runs.put(run.callId(), run);
        } finally {
            lock.unlock();
        }
    }

    private static boolean counts(LiveRun run) {
        return !run.trial() && !run.order().holds();
    }

    void remove(LiveRun run) {
        lock.lock();
        try {
            runs.remove(run.callId());
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns a run; null when the id is not running. */
    LiveRun find(String callId) {
        lock.lock();
        try {
            return runs.get(callId);
        } finally {
            lock.unlock();
        }
    }

    /** Returns all, tests of sandboxes included. */
    List<LiveRun> all() {
        lock.lock();
        try {
            return new ArrayList<>(runs.values());
        } finally {
            lock.unlock();
        }
    }

    /** Takes no run any more; returns those that are there. */
    List<LiveRun> close() {
        lock.lock();
        try {
            closed = true;
            return new ArrayList<>(runs.values());
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no command runs; returns the ids that still run at the timeout. */
    Set<String> awaitNone(long millis) {
        lock.lock();
        try {
            long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!runs.isEmpty() && nanos > 0) {
                nanos = fewer.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return left();
    }

    private Set<String> left() {
        lock.lock();
        try {
            return Set.copyOf(runs.keySet());
        } finally {
            lock.unlock();
        }
    }
}
