package palyra.models.internal.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelRequest;

/**
 * Stops a turn, by request or by a time limit; the first one decides how it ends. Interrupts the
 * turn's thread only while it waits for the network, never inside its sink. Thread-safe.
 */
final class TurnClock {
    /** How long a turn may exceed its deadline, so that the engine stops it first. */
    private static final long OVERTIME_MILLIS = 2_000;

    /** How long to read on after a complete answer, for its usage. */
    private static final long AFTER_END_MILLIS = 2_000;

    private static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final String provider;
    private final Endpoint.Times times;
    private final LongSupplier nanos;
    private final long engineEnd;
    private final long ownEnd;
    private final long firstEnd;

    private final ReentrantLock lock = new ReentrantLock();
    private ModelEvent.Failed stopped; // guarded by lock
    private boolean
            engineTimedOut; // guarded by lock; the engine's deadline passed, not a limit of the
    // provider
    private Thread waiting; // guarded by lock; the turn's thread while it may be interrupted
    private boolean interrupted; // guarded by lock
    private boolean whole; // guarded by lock; the answer is complete, the stream is not
    private long phaseEnd; // guarded by lock
    private String phase = ""; // guarded by lock
    private long progress = -1; // guarded by lock
    private long silenceEnd; // guarded by lock

    TurnClock(String provider, Endpoint.Times times, ModelRequest request, LongSupplier nanos) {
        this.provider = provider;
        this.times = times;
        this.nanos = nanos;
        long now = nanos.getAsLong();
        long left = request.deadlineMillis() - System.currentTimeMillis();
        engineEnd =
                now
                        + nanosOf(
                                request.deadlineMillis() <= 0
                                        ? LONGEST_MILLIS
                                        : Math.clamp(left, 0, LONGEST_MILLIS) + OVERTIME_MILLIS);
        ownEnd = now + nanosOf(times.total() == 0 ? LONGEST_MILLIS : times.total());
        firstEnd = now + nanosOf((long) times.connect() + times.firstToken());
        phaseEnd = now + nanosOf(LONGEST_MILLIS);
    }

    private static long nanosOf(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Stops the turn unless it was stopped before. Never blocks for long. */
    void stop(ModelEvent.Failed how) {
        lock.lock();
        try {
            stopped = stopped == null ? how : stopped;
            interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void interrupt() {
        if (waiting != null) {
            interrupted = true;
            waiting.interrupt();
        }
    }

    /** Returns how it was stopped; null while it was not. */
    ModelEvent.Failed stopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the engine's deadline stopped it. */
    boolean engineTimedOut() {
        lock.lock();
        try {
            return engineTimedOut;
        } finally {
            lock.unlock();
        }
    }

    void requireGoing() throws TurnFailure {
        ModelEvent.Failed how = stopped();
        if (how != null) {
            throw new TurnFailure(how);
        }
    }

    /** The turn's thread begins to wait for the head of the answer. */
    void beginWaiting() throws TurnFailure {
        wait(
                firstEnd,
                "nothing came within "
                        + (times.connect() + (long) times.firstToken())
                        + " ms (connectMillis and firstTokenMillis together)");
    }

    /**
     * The turn's thread begins to wait for more of the body.
     *
     * @param said progress counter of the answer; other bytes do not count as progress
     * @param finished whether the answer is complete
     */
    void beginListening(long said, boolean finished) throws TurnFailure {
        lock.lock();
        try {
            if (said != progress || finished != whole) {
                progress = said;
                whole = finished;
                long patience =
                        finished
                                ? Math.min(AFTER_END_MILLIS, times.betweenTokens())
                                : times.betweenTokens();
                silenceEnd = nanos.getAsLong() + nanosOf(patience);
            }
        } finally {
            lock.unlock();
        }
        if (said == 0 && !finished) {
            beginWaiting();
        } else {
            wait(silenceEnd, "nothing more came within " + times.betweenTokens() + " ms");
        }
    }

    private void wait(long until, String why) throws TurnFailure {
        lock.lock();
        try {
            if (stopped != null) {
                throw new TurnFailure(stopped);
            }
            phaseEnd = until;
            phase = why;
            waiting = Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    /** The turn's thread ends a wait; clears an interrupt of that wait. */
    void endWaiting() {
        lock.lock();
        try {
            waiting = null;
            if (interrupted) {
                interrupted = false;
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the time until a limit of the provider ends the turn without further output, in
     * milliseconds.
     */
    long silenceLeftMillis() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            long left = Math.min(ownEnd, phase.isEmpty() ? firstEnd : phaseEnd) - now;
            return Math.max(0, TimeUnit.NANOSECONDS.toMillis(left));
        } finally {
            lock.unlock();
        }
    }

    /** Checks the time limits. For the watch thread. */
    void check() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            if (stopped != null) {
                return;
            }
            if (now - engineEnd >= 0) {
                engineTimedOut = true;
                timeOut("it was not done by the engine's deadline");
            } else if (now - ownEnd >= 0) {
                timeOut("it took longer than " + times.total() + " ms in all");
            } else if (waiting != null && now - phaseEnd >= 0) {
                if (whole) {
                    interrupt(); // the answer is complete
                } else {
                    timeOut(phase);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void timeOut(String why) {
        stopped =
                new ModelEvent.Failed(
                        ErrorCode.TIMED_OUT,
                        "The answer of model provider '"
                                + provider
                                + "' was aborted:  "
                                + why
                                + ". Try again, or raise its time limits.",
                        true,
                        FailureCause.TIMEOUT,
                        0);
        interrupt();
    }
}
