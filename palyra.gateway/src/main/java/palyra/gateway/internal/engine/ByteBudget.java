package palyra.gateway.internal.engine;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * The bytes that all runs together may hold, shared by all of them. A run never holds more than its
 * share, however much is free. When the total is used up a run waits, and one run at a time, the
 * one that waits longest, may go on up to its share: that much of the total is kept free for it, so
 * that runs which wait for each other always come to an end. Thread-safe.
 */
public final class ByteBudget {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final ArrayDeque<Account> waiting = new ArrayDeque<>(); // guarded by lock
    private Account first; // guarded by lock; may go on beyond what all others share
    private long used; // guarded by lock

    /**
     * What may be held.
     *
     * @param totalBytes by all runs together
     * @param shareBytes by one run, at most the total
     */
    record Limits(long totalBytes, long shareBytes) {
        long common() {
            return totalBytes - shareBytes;
        }
    }

    /** How asking for bytes ended. */
    enum Granted {
        /** The bytes are held. */
        YES,
        /** The total stayed used up. */
        TOO_LATE,
        /** The caller was asked to stop. */
        STOPPED
    }

    /** Opens the account of a run that holds nothing yet. */
    Account open(String runId) {
        return new Account(runId);
    }

    /** Returns how many bytes all runs hold now. */
    public long used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    /** What one run holds. Used by the run's worker; closing is safe from any thread. */
    final class Account implements AutoCloseable {
        private final String runId;
        private long kept; // guarded by lock; between turns
        private long taken; // guarded by lock; for the turn under way

        private Account(String runId) {
            this.runId = runId;
        }

        /**
         * Takes bytes until {@link #endTurn}, waiting while the total is used up.
         *
         * @param until when to give up, as of {@link System#nanoTime}
         * @param stop asked several times a second
         * @throws PalyraException RESOURCE_EXHAUSTED when the run would hold more than its share
         */
        Granted take(long bytes, Limits limits, long until, BooleanSupplier stop) {
            lock.lock();
            try {
                requireShare(kept + taken + bytes, limits);
                Granted granted = await(bytes, limits, until, stop);
                if (granted == Granted.YES) {
                    taken += bytes;
                    used += bytes;
                }
                return granted;
            } finally {
                lock.unlock();
            }
        }

        /** Sets how much is held between turns, waiting like {@link #take} for what is more. */
        Granted keep(long bytes, Limits limits, long until, BooleanSupplier stop) {
            lock.lock();
            try {
                requireShare(bytes + taken, limits);
                long more = bytes - kept;
                Granted granted = more <= 0 ? Granted.YES : await(more, limits, until, stop);
                if (granted == Granted.YES) {
                    kept = bytes;
                    used += more;
                    released.signalAll();
                }
                return granted;
            } finally {
                lock.unlock();
            }
        }

        private void requireShare(long bytes, Limits limits) {
            if (bytes > limits.shareBytes()) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "Run "
                                + runId
                                + " needs "
                                + bytes
                                + " bytes of memory and one run may hold "
                                + limits.shareBytes()
                                + "; begin a new session, send less, or raise runShareBytes of"
                                + " palyra.gateway.");
            }
        }

        private Granted await(long bytes, Limits limits, long until, BooleanSupplier stop) {
            if (fits(bytes, limits)) {
                return Granted.YES;
            }
            waiting.add(this);
            try {
                while (!fits(bytes, limits)) {
                    if (first == null && waiting.peek() == this) {
                        first = this;
                        continue;
                    }
                    if (stop.getAsBoolean()) {
                        return Granted.STOPPED;
                    }
                    long left = until - System.nanoTime();
                    if (left <= 0) {
                        return Granted.TOO_LATE;
                    }
                    released.awaitNanos(Math.min(left, LOOK_NANOS));
                }
                return Granted.YES;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Granted.STOPPED;
            } finally {
                waiting.remove(this);
            }
        }

        /** What the first holds comes out of what is kept free for it. */
        private boolean fits(long bytes, Limits limits) {
            if (first == this) {
                return true;
            }
            long ofFirst = first == null ? 0 : first.kept + first.taken;
            return used - ofFirst + bytes <= limits.common();
        }

        /** Gives back what was taken for the turn under way. */
        void endTurn() {
            lock.lock();
            try {
                used -= taken;
                taken = 0;
                first = first == this ? null : first;
                released.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Returns how many bytes are held. */
        long held() {
            lock.lock();
            try {
                return kept + taken;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                endTurn();
                used -= kept;
                kept = 0;
            } finally {
                lock.unlock();
            }
        }
    }
}
