package palyra.shared.model;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import palyra.api.Require;

/**
 * Keeps a failing server from being asked (the circuit breaker of M. Nygard, "Release It!"): closed
 * until so many failures came in a row, then open for a while, then half open, when exactly one
 * question is let through whose outcome decides. Pure but for its clock. Thread-safe.
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

    private final int failuresToOpen;
    private final long openMillis;
    private final LongSupplier millis;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.CLOSED; // guarded by lock
    private long epoch; // guarded by lock; counts changes of state
    private int failures; // guarded by lock; in a row
    private long opened; // guarded by lock; when
    private boolean probing; // guarded by lock

    /**
     * Creates a closed one.
     *
     * @param failuresToOpen failures in a row that open it, at least 1
     * @param openMillis how long it stays open, in milliseconds, at least 1
     * @param millis a clock in milliseconds that never goes back
     */
    public CircuitBreaker(int failuresToOpen, long openMillis, LongSupplier millis) {
        Require.that(failuresToOpen >= 1 && openMillis >= 1, "a circuit breaker takes 1 or more");
        this.failuresToOpen = failuresToOpen;
        this.openMillis = openMillis;
        this.millis = millis;
    }

    /** The leave to ask once. Its first outcome counts, further ones are ignored. */
    public final class Pass {
        private final long of;
        private boolean told; // guarded by lock

        private Pass(long epoch) {
            of = epoch;
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

    /** Returns leave to ask; empty while it is open, or half open with a question on its way. */
    public Optional<Pass> enter() {
        lock.lock();
        try {
            if (state == State.OPEN && millis.getAsLong() - opened >= openMillis) {
                become(State.HALF_OPEN);
            }
            if (state == State.OPEN || probing) {
                return Optional.empty();
            }
            probing = state == State.HALF_OPEN;
            return Optional.of(new Pass(epoch));
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
