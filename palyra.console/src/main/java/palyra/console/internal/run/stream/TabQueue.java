package palyra.console.internal.run.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits for one tab: events of the run it follows, in bytes up to a bound, and hints, of which
 * each is kept once. When it is full, the follower of the run waits; nothing else does. Hints
 * beyond their bound become one that says that anything may have changed. Thread-safe.
 */
final class TabQueue {
    /** Most hints that are kept apart. */
    static final int MAX_HINTS = 256;

    /**
     * What was taken.
     *
     * @param frames events to be written, in order
     * @param hints what changed, in the order in which it did; empty for nothing
     * @param everything whether hints were lost, so that anything may have changed
     * @param closed whether the tab is to end
     */
    record Batch(List<byte[]> frames, Set<Hint> hints, boolean everything, boolean closed) {}

    private final int limitBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> frames = new ArrayDeque<>(); // these and the next guarded by lock
    private final Set<Hint> hints = new LinkedHashSet<>();
    private long bytes;
    private boolean everything;
    private boolean closed;

    TabQueue(int limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Adds an event; waits while the queue is full. Returns whether it was added. */
    boolean put(byte[] frame) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && bytes > 0 && bytes + frame.length > limitBytes) {
                changed.await();
            }
            if (closed) {
                return false;
            }
            frames.add(frame);
            bytes += frame.length;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a hint. Never waits for the tab. */
    void hint(Hint hint) {
        lock.lock();
        try {
            if (hints.size() >= MAX_HINTS && !hints.contains(hint)) {
                hints.clear();
                everything = true;
            }
            if (!everything) {
                hints.add(hint);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that hints were lost. */
    void everythingChanged() {
        lock.lock();
        try {
            hints.clear();
            everything = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the tab; what waits is dropped, for a browser that connects again asks for it. */
    void close() {
        lock.lock();
        try {
            closed = true;
            frames.clear();
            bytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes what there is; waits at most {@code millis} for something.
     *
     * @param withHints whether hints are wanted too; they stay otherwise
     */
    Batch take(long millis, boolean withHints) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lockInterruptibly();
        try {
            while (left > 0 && !closed && frames.isEmpty() && !(withHints && hasHints())) {
                left = changed.awaitNanos(left);
            }
            List<byte[]> taken = new ArrayList<>(frames);
            frames.clear();
            bytes = 0;
            Batch batch =
                    new Batch(
                            taken,
                            withHints ? inOrder(hints) : Set.of(),
                            withHints && everything,
                            closed);
            if (withHints) {
                hints.clear();
                everything = false;
            }
            changed.signalAll();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** What came first may be what the others are about: a run's approval request follows it. */
    private static Set<Hint> inOrder(Set<Hint> hints) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(hints));
    }

    private boolean hasHints() {
        return everything || !hints.isEmpty();
    }
}
