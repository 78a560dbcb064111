package palyra.gateway.internal.engine.memory;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * The bytes that all runs together may hold, shared by all of them. A run never holds more than its
 * share, however much is free. The total has three parts, none of which is ever exceeded:
 *
 * <ul>
 *   <li>the small part, for runs that hold little: large ones cannot take it;
 *   <li>the share of the first: when the rest is used up, one run at a time, the one that waits
 *       longest, may go on up to its share, so that runs which wait for each other come to an end;
 *   <li>the common part, for all.
 * </ul>
 *
 * <p>While a run waits, one that holds much and gets next to nothing gives way. Thread-safe.
 */
public final class MemoryPool {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long TELL_MILLIS = 1_000;

    /** How long a run waits, and another may get next to nothing, before that one gives way. */
    static final long IDLE_MILLIS = 30_000;

    /** Who takes fewer bytes in that time gets next to nothing: 128 characters of an answer. */
    static final long IDLE_BYTES = 1_024;

    /** How long the one that gives way may take for it before another does too. */
    private static final long YIELD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int LARGEST = 3;

    private final long tellNanos;
    private final long idleNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final ArrayDeque<Account> waiting = new ArrayDeque<>(); // guarded by lock
    private final Set<Account> holders = new LinkedHashSet<>(); // guarded by lock
    private Limits limits = new Limits(0, 0, 0, 0); // guarded by lock; of the last who asked
    private long small; // guarded by lock
    private long common; // guarded by lock
    private Account first; // guarded by lock; what it holds is in neither of the above
    private Account yielding; // guarded by lock; the last that was to give way
    private long yieldNanos; // guarded by lock; since when

    /** Creates one of which nothing is used. */
    public MemoryPool() {
        this(TELL_MILLIS, IDLE_MILLIS);
    }

    /** As above, with times of its own. */
    public MemoryPool(long tellMillis, long idleMillis) {
        tellNanos = TimeUnit.MILLISECONDS.toNanos(tellMillis);
        idleNanos = TimeUnit.MILLISECONDS.toNanos(idleMillis);
    }

    /**
     * What may be held.
     *
     * @param totalBytes by all runs together
     * @param shareBytes by one run; this much of the total is the share of the first
     * @param smallBytes by runs that hold little, together; with the share at most the total
     * @param smallRunBytes by one run that holds little
     */
    public record Limits(long totalBytes, long shareBytes, long smallBytes, long smallRunBytes) {
        long common() {
            return totalBytes - shareBytes - smallBytes;
        }
    }

    /** How asking for bytes ended. */
    public enum Granted {
        /** The bytes are held. */
        YES,
        /** The total stayed used up. */
        TOO_LATE,
        /** The caller was asked to stop. */
        STOPPED
    }

    /** Opens the account of a run that holds nothing yet. */
    public Account open(String runId) {
        return new Account(runId);
    }

    /** Returns how many bytes all runs hold now. */
    public long used() {
        lock.lock();
        try {
            return small + common + (first == null ? 0 : first.holds());
        } finally {
            lock.unlock();
        }
    }

    /** Returns who holds and who waits now. */
    public MemoryUse use() {
        lock.lock();
        try {
            long now = System.nanoTime();
            return new MemoryUse(
                    used(),
                    waiting.size(),
                    waiting.stream()
                            .mapToLong(each -> now - each.waitsSince)
                            .map(TimeUnit.NANOSECONDS::toMillis)
                            .max()
                            .orElse(0),
                    holders.stream()
                            .sorted(Comparator.comparingLong(Account::holds).reversed())
                            .limit(LARGEST)
                            .map(each -> new MemoryUse.Holder(each.runId, each.holds()))
                            .toList());
        } finally {
            lock.unlock();
        }
    }

    /** One that was to give way and has not yet is waited for. */
    private void letOneGiveWay(long now) {
        if (yielding != null && now - yieldNanos < YIELD_NANOS) {
            return;
        }
        Optional<Account> one =
                Optional.ofNullable(first)
                        .filter(each -> each.isIdle(now))
                        .or(
                                () ->
                                        holders.stream()
                                                .filter(each -> each.isIdle(now))
                                                .max(Comparator.comparingLong(Account::holds)));
        one.ifPresent(
                each -> {
                    each.givesWay = true;
                    yielding = each;
                    yieldNanos = now;
                });
    }

    /** The first whose turn is over goes to where all others are, once there is room for it. */
    private void dismissFirst() {
        Account was = first;
        if (was != null && !was.inTurn && was.enter(was.holds())) {
            first = null;
        }
    }

    /** What one run holds. Used by the run's worker; closing is safe from any thread. */
    public final class Account implements AutoCloseable {
        private final String runId;
        // all guarded by lock
        private long kept; // between turns
        private long taken; // for the turn under way
        private boolean isSmall; // whether what it holds is in the small part
        private boolean inTurn;
        private boolean givesWay;
        private long waitsSince;
        private long grewAt; // when it had last taken as much as one that is not idle
        private long grewTo;

        private Account(String runId) {
            this.runId = runId;
        }

        private long holds() {
            return kept + taken;
        }

        /**
         * Takes bytes until {@link #endTurn}, waiting while the total is used up.
         *
         * @throws PalyraException RESOURCE_EXHAUSTED when the run would hold more than its share
         */
        public Granted take(long bytes, Limits limits, MemoryWait wait) {
            lock.lock();
            try {
                requireShare(holds() + bytes, limits);
                Granted granted = await(bytes, limits, wait);
                if (granted == Granted.YES) {
                    taken += bytes;
                    if (taken - grewTo >= IDLE_BYTES) {
                        grew();
                    }
                    holders.add(this);
                }
                return granted;
            } finally {
                lock.unlock();
            }
        }

        /**
         * Begins a turn: sets how much is held between turns, waiting like {@link #take} for what
         * is more.
         */
        public Granted keep(long bytes, Limits limits, MemoryWait wait) {
            lock.lock();
            try {
                requireShare(bytes + taken, limits);
                Granted granted = bytes <= kept ? Granted.YES : await(bytes - kept, limits, wait);
                if (granted == Granted.YES) {
                    if (bytes < kept) {
                        shrink(bytes + taken);
                    }
                    kept = bytes;
                    inTurn = true;
                    grew();
                    holders.add(this);
                    released.signalAll();
                }
                return granted;
            } finally {
                lock.unlock();
            }
        }

        private void grew() {
            grewAt = System.nanoTime();
            grewTo = taken;
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

        private Granted await(long bytes, Limits newLimits, MemoryWait wait) {
            limits = newLimits;
            if (grow(holds() + bytes)) {
                return Granted.YES;
            }
            waiting.add(this);
            waitsSince = System.nanoTime();
            boolean reported = false;
            try {
                while (!grow(holds() + bytes)) {
                    if (first == null && waiting.peek() == this) {
                        leave();
                        first = this;
                        continue;
                    }
                    if (wait.stop().getAsBoolean()) {
                        return Granted.STOPPED;
                    }
                    long now = System.nanoTime();
                    long left = wait.untilNanos() - now;
                    if (left <= 0) {
                        return Granted.TOO_LATE;
                    }
                    if (!reported && now - waitsSince >= tellNanos) {
                        reported = true;
                        report(wait);
                        continue;
                    }
                    if (waiting.peek() == this && now - waitsSince >= idleNanos) {
                        letOneGiveWay(now);
                    }
                    released.awaitNanos(Math.min(left, LOOK_NANOS));
                }
                return Granted.YES;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Granted.STOPPED;
            } finally {
                waiting.remove(this);
                grew(); // it was not the model's fault
            }
        }

        /** Writes to the journal, so it is done without the lock. */
        private void report(MemoryWait wait) {
            long used = used();
            lock.unlock();
            try {
                wait.lasts().accept(used);
            } finally {
                lock.lock();
            }
        }

        /** Finds a place for so many bytes instead of what it holds; false changes nothing. */
        private boolean grow(long after) {
            if (first == this) {
                return true;
            }
            boolean before = isSmall;
            leave();
            if (enter(after)) {
                return true;
            }
            isSmall = before;
            count(holds());
            return false;
        }

        /** Fewer bytes always have a place, if only their old one. */
        private void shrink(long after) {
            if (first == this) {
                return;
            }
            boolean before = isSmall;
            leave();
            if (!enter(after)) {
                isSmall = before;
                count(after);
            }
        }

        private void leave() {
            count(-holds());
        }

        private boolean enter(long bytes) {
            boolean fitsSmall =
                    bytes <= limits.smallRunBytes() && small + bytes <= limits.smallBytes();
            if (!fitsSmall && common + bytes > limits.common()) {
                return false;
            }
            isSmall = fitsSmall;
            count(bytes);
            return true;
        }

        private void count(long bytes) {
            if (isSmall) {
                small += bytes;
            } else {
                common += bytes;
            }
        }

        /** One that waits for memory itself gets nothing because of that. */
        private boolean isIdle(long now) {
            return inTurn
                    && !givesWay
                    && holds() > limits.smallRunBytes()
                    && now - grewAt >= idleNanos
                    && !waiting.contains(this);
        }

        /** Returns whether the turn under way is to end, for turns that wait for memory. */
        public boolean givesWay() {
            lock.lock();
            try {
                return givesWay;
            } finally {
                lock.unlock();
            }
        }

        /** Releases the bytes reserved for the turn under way. */
        public void endTurn() {
            lock.lock();
            try {
                end(kept);
            } finally {
                lock.unlock();
            }
        }

        private void end(long keeps) {
            lock.lock();
            try {
                shrink(keeps);
                kept = keeps;
                taken = 0;
                inTurn = false;
                givesWay = false;
                yielding = yielding == this ? null : yielding;
                if (keeps == 0) {
                    holders.remove(this);
                }
                dismissFirst();
                released.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Returns how many bytes all runs hold. */
        public long usedByAll() {
            return used();
        }

        /** Returns how long it may get next to nothing while others wait, in milliseconds. */
        public long idleMillis() {
            return TimeUnit.NANOSECONDS.toMillis(idleNanos);
        }

        /** Returns how many bytes are held. */
        public long held() {
            lock.lock();
            try {
                return holds();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            end(0);
        }
    }
}
