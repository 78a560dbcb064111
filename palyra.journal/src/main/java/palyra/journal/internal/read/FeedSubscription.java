package palyra.journal.internal.read;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;

/**
 * One listener with its queue, bounded in hints and in bytes, and a thread only while there is
 * something in it.
 */
final class FeedSubscription implements LiveFeed.Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(FeedSubscription.class);

    /** Most bytes of live text that wait for one listener; other hints are small and counted. */
    static final int MOST_BYTES = 256 * 1_024;

    private static final int BYTES_OF_TEXT = 128;

    private final int bound;
    private final Consumer<FeedItem> listener;
    private final Executor threads;
    private final Consumer<FeedSubscription> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<FeedItem> queue = new ArrayDeque<>(); // guarded by lock
    private long bytes; // guarded by lock; of the queue
    private long dropped; // guarded by lock
    private boolean delivering; // guarded by lock
    private boolean closed; // guarded by lock

    FeedSubscription(
            int bound,
            Consumer<FeedItem> listener,
            Executor threads,
            Consumer<FeedSubscription> onClose) {
        this.bound = bound;
        this.listener = listener;
        this.threads = threads;
        this.onClose = onClose;
    }

    /** Queues a hint; the oldest are dropped when there is no room. */
    void offer(FeedItem hint) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            queue.add(hint);
            bytes += bytesOf(hint);
            while (queue.size() > 1 && (queue.size() > bound || bytes > MOST_BYTES)) {
                bytes -= bytesOf(queue.poll());
                dropped++;
            }
            deliver();
        } finally {
            lock.unlock();
        }
    }

    /** Two bytes a character, which is the most that a text takes. */
    private static long bytesOf(FeedItem hint) {
        return hint instanceof FeedItem.LiveText live
                ? BYTES_OF_TEXT + 2L * live.text().length()
                : 0;
    }

    private void deliver() {
        if (!delivering) {
            delivering = true;
            try {
                threads.execute(this::run);
            } catch (RejectedExecutionException e) {
                delivering = false; // the feed has ended
            }
        }
    }

    private void run() {
        for (FeedItem next = next(); next != null; next = next()) {
            try {
                listener.accept(next);
            } catch (RuntimeException | LinkageError e) { // a listener's bundle may be gone
                LOG.warn("A listener of the journal's feed failed on {}", next, e);
            }
        }
    }

    private FeedItem next() {
        lock.lock();
        try {
            if (dropped > 0) {
                long count = dropped;
                dropped = 0;
                return new FeedItem.Lagged(count);
            }
            FeedItem next = queue.poll();
            delivering = next != null;
            bytes -= next == null ? 0 : bytesOf(next);
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** The feed ends: what waits is delivered, then the goodbye, then nothing. */
    void end() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                queue.add(new FeedItem.Closed());
                deliver();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            bytes = 0;
            dropped = 0;
        } finally {
            lock.unlock();
        }
        onClose.accept(this);
    }
}
