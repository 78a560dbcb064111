package palyra.front.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.journal.FeedItem;

/**
 * Hints on their way to one follower. Bounded: when it is full the oldest live text goes, since the
 * tape has it too. The producer never waits.
 */
final class HintQueue {
    /** Most bytes of live text that wait. */
    static final int MOST_BYTES = 128 * 1_024;

    private static final int BYTES_OF_PIECE = 128;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<FeedItem.LiveText> live = new ArrayDeque<>(); // guarded by lock
    private int liveBytes; // guarded by lock
    private long advancedTo; // guarded by lock
    private boolean reread; // guarded by lock
    private boolean feedChanged; // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * What came in since the last look.
     *
     * @param live text in the order it came
     * @param advancedTo the tape is known to reach this far
     * @param reread whether hints were lost, or none came for a while
     * @param feedChanged whether the feed ended or another one is there
     */
    record Batch(
            List<FeedItem.LiveText> live, long advancedTo, boolean reread, boolean feedChanged) {
        Batch {
            live = List.copyOf(live);
        }
    }

    void accept(FeedItem item) {
        lock.lock();
        try {
            if (item instanceof FeedItem.LiveText text) {
                add(text);
            } else if (item instanceof FeedItem.Advanced advanced) {
                advancedTo = Math.max(advancedTo, advanced.seq());
            } else if (item instanceof FeedItem.Closed) {
                feedChanged = true;
            } else {
                reread = true;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void add(FeedItem.LiveText text) {
        live.add(text);
        liveBytes += bytesOf(text);
        while (liveBytes > MOST_BYTES) {
            liveBytes -= bytesOf(live.remove());
        }
    }

    /** Two bytes a character, which is the most that a text takes. */
    static int bytesOf(FeedItem.LiveText text) {
        return BYTES_OF_PIECE + 2 * text.text().length();
    }

    void feedArrived() {
        lock.lock();
        try {
            feedChanged = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
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
     * WaitReasons for something new beyond {@code knownSeq}; after {@code millis} without it the
     * batch says to read again.
     */
    Batch take(long knownSeq, long millis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!closed && !feedChanged && !reread && live.isEmpty() && advancedTo <= knownSeq) {
                if (left <= 0) {
                    reread = true;
                } else {
                    left = changed.awaitNanos(left);
                }
            }
            Batch batch = new Batch(new ArrayList<>(live), advancedTo, reread, feedChanged);
            live.clear();
            liveBytes = 0;
            reread = false;
            feedChanged = false;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** WaitReasons until the follower is closed, at most {@code millis}. */
    void pause(long millis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
