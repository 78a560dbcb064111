package palyra.models.internal.http;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import palyra.api.Require;

/**
 * Keeps a failing server from being asked (the circuit breaker of M. Nygard, "Release It!"): closed
 * until so many failures came in a row, then open for a while, then half open, when exactly one
 * question is let through, the trial. It decides as soon as the server begins to answer it: a long
 * answer keeps no other question out. Pure but for its clock. Thread-safe.
 *
 * <p>An outcome counts only in the state in which the question was let through: a late failure of
 * an earlier time neither prolongs the wait nor ends the trial.
 */
public final class CircuitBreaker {
    /** What it does with questions now. */
    public enum State {
        /** All pass. */
        CLOSED,
        /** None passes. */
        OPEN,
        /** One passes, or is on its way. */
        HALF_OPEN
    }

    /** What a question is told that wants to be asked. */
    public sealed interface Leave {}

    /**
     * It is not asked now.
     *
     * @param trial whether another question is under way that decides, and not a time
     * @param leftMillis when that is known at the latest, in milliseconds from now, at least 1
     */
    public record Wait(boolean trial, long leftMillis) implements Leave {}

    /** What is left of a trial that should have been answered by now: its end is due. */
    private static final long DUE_MILLIS = 1_000;

    private final int failuresToOpen;
    private final long openMillis;
    private final long trialMillis;
    private final LongSupplier millis;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.CLOSED; // guarded by lock
    private long epoch; // guarded by lock; counts changes of state
    private int failures; // guarded by lock; in a row
    private long opened; // guarded by lock; when
    private boolean probing; // guarded by lock
    private long probed; // guarded by lock; when the trial was let through

    /**
     * Creates a closed one.
     *
     * @param failuresToOpen failures in a row that open it, at least 1
     * @param openMillis how long it stays open, in milliseconds, at least 1
     * @param trialMillis how long the server may take to begin an answer, in milliseconds, at least
     *     1
     * @param millis a clock in milliseconds that never goes back
     */
    public CircuitBreaker(
            int failuresToOpen, long openMillis, long trialMillis, LongSupplier millis) {
        Require.that(
                failuresToOpen >= 1 && openMillis >= 1 && trialMillis >= 1,
                "a circuit breaker takes 1 or more");
        this.failuresToOpen = failuresToOpen;
        this.openMillis = openMillis;
        this.trialMillis = trialMillis;
        this.millis = millis;
    }

    /** The leave to ask once. Its first outcome counts, further ones are ignored. */
    public final class Pass implements Leave {
        private long of; // guarded by lock
        private boolean told; // guarded by lock

        private Pass(long epoch) {
            of = epoch;
        }

        /** The server begins to answer. That ends a trial, and is the outcome of no question. */
        public void answering() {
            lock.lock();
            try {
                if (!told && of == epoch && state == State.HALF_OPEN) {
                    become(State.CLOSED);
                    of = epoch;
                }
            } finally {
                lock.unlock();
            }
        }

        /** The server did its work, whatever it said. */
        public void succeeded() {
            end(true, false);
        }

        /** The server failed, could not be reached, or took too long. */
        public void failed() {
            end(false, true);
        }

        /** Nothing is known of the server: the question was withdrawn or never came to it. */
        public void abandoned() {
            end(false, false);
        }

        private void end(boolean good, boolean bad) {
            lock.lock();
            try {
                if (!told && of == epoch) {
                    outcome(good, bad);
                }
                told = true;
            } finally {
                lock.unlock();
            }
        }
    }

    private void outcome(boolean good, boolean bad) {
        if (bad) {
            failures++;
            if (state == State.HALF_OPEN || failures >= failuresToOpen) {
                opened = millis.getAsLong();
                become(State.OPEN);
            }
        } else if (good) {
            failures = 0;
            if (state == State.HALF_OPEN) {
                become(State.CLOSED);
            }
        } else {
            probing = false; // the next one tries instead
        }
    }

    private void become(State next) {
        state = next;
        epoch++;
        failures = 0;
        probing = false;
    }

    /** Returns leave to ask, or what is to be waited for while it is open or half open. */
    public Leave enter() {
        lock.lock();
        try {
            long now = millis.getAsLong();
            if (state == State.OPEN && now - opened >= openMillis) {
                become(State.HALF_OPEN);
            }
            if (state == State.OPEN) {
                return new Wait(false, openMillis - (now - opened));
            }
            if (probing) {
                long left = trialMillis - (now - probed);
                return new Wait(true, left > 0 ? left : DUE_MILLIS);
            }
            probing = state == State.HALF_OPEN;
            probed = now;
            return new Pass(epoch);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how long it stays open still, in milliseconds; 0 when it does not. */
    public long leftMillis() {
        lock.lock();
        try {
            return state == State.OPEN
                    ? Math.max(0, openMillis - (millis.getAsLong() - opened))
                    : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what it does now; open although its time is over until somebody asks. */
    public State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }
}
