package palyra.models.internal.http;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import palyra.api.Require;

/**
 * Circuit breaker (M. Nygard, "Release It!"): closed until a number of consecutive failures, then
 * open for a time, then half open, when exactly one request, the trial, is let through. The circuit
 * closes as soon as the server begins to answer the trial, so that a long answer blocks no other
 * request. Thread-safe.
 *
 * <p>An outcome counts only in the state in which its request was let through: a late failure
 * neither prolongs the wait nor ends the trial.
 */
public final class CircuitBreaker {
    /** State of the circuit. */
    public enum State {
        /** All requests pass. */
        CLOSED,
        /** No request passes. */
        OPEN,
        /** One request passes or is running. */
        HALF_OPEN
    }

    /** Decision about a request. */
    public sealed interface Decision {}

    /**
     * The request must not be sent now.
     *
     * @param trial whether the wait is for a running trial, else for a time
     * @param leftMillis longest wait in milliseconds, at least 1
     */
    public record Wait(boolean trial, long leftMillis) implements Decision {}

    /** Wait for a trial that is overdue. */
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
     * Creates a closed circuit.
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

    /** Permission for one request. Its first outcome counts, further ones are ignored. */
    public final class Pass implements Decision {
        private long startEpoch; // guarded by lock
        private boolean reported; // guarded by lock

        private Pass(long epoch) {
            startEpoch = epoch;
        }

        /** The server begins to answer, which ends a trial. This is not the outcome. */
        public void answering() {
            lock.lock();
            try {
                if (!reported && startEpoch == epoch && state == State.HALF_OPEN) {
                    changeTo(State.CLOSED);
                    startEpoch = epoch;
                }
            } finally {
                lock.unlock();
            }
        }

        /** The server answered, also with an error of the request. */
        public void succeeded() {
            end(true, false);
        }

        /** The server failed, could not be reached, or took too long. */
        public void failed() {
            end(false, true);
        }

        /** The request says nothing about the server: it was cancelled or never sent. */
        public void abandoned() {
            end(false, false);
        }

        private void end(boolean good, boolean bad) {
            lock.lock();
            try {
                if (!reported && startEpoch == epoch) {
                    outcome(good, bad);
                }
                reported = true;
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
                changeTo(State.OPEN);
            }
        } else if (good) {
            failures = 0;
            if (state == State.HALF_OPEN) {
                changeTo(State.CLOSED);
            }
        } else {
            probing = false; // the next request becomes the trial
        }
    }

    private void changeTo(State next) {
        state = next;
        epoch++;
        failures = 0;
        probing = false;
    }

    /** Returns a pass, or the wait while the circuit is open or a trial runs. */
    public Decision enter() {
        lock.lock();
        try {
            long now = millis.getAsLong();
            if (state == State.OPEN && now - opened >= openMillis) {
                changeTo(State.HALF_OPEN);
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

    /** Returns how long the circuit stays open, in milliseconds; 0 when it is not open. */
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

    /** Returns the state; after the open time it stays OPEN until the next request. */
    public State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }
}
