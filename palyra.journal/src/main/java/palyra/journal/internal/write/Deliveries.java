package palyra.journal.internal.write;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.FeedItem;
import palyra.journal.internal.read.Feed;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;
import palyra.shared.loop.SupervisedLoop;

/**
 * Completes stages and passes hints on, away from the writer. When many deliveries wait, in number
 * or in bytes, the writer waits too. Each completion has a virtual thread, so that a slow one holds
 * up no other.
 */
public final class Deliveries implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    private static final int MOST_WAITING = 64;

    /** Most bytes of units whose outcome waits to be told. */
    static final long MOST_BYTES = 8L << 20;

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Feed feed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Delivery> waiting = new ArrayDeque<>(); // guarded by lock
    private long bytes; // guarded by lock; of what waits
    private boolean closed; // guarded by lock
    private final ExecutorService callbacks =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("palyra-journal-callback-", 0).factory());

    private record Delivery(List<Ticket<?>> tickets, List<FeedItem> hints, long bytes) {}

    public Deliveries(Feed feed) {
        this.feed = feed;
    }

    /** Takes over what a group leads to. Waits a little while too much waits. */
    public void hand(List<Ticket<?>> tickets, List<FeedItem> hints) {
        if (tickets.isEmpty() && hints.isEmpty()) {
            return;
        }
        long more = tickets.stream().mapToLong(ticket -> ticket.task().bytes()).sum();
        lock.lock();
        try {
            long left = WAIT_NANOS;
            while (isFull(more) && !closed && left > 0) {
                left = await(left);
            }
            waiting.add(new Delivery(tickets, hints, more));
            bytes += more;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isFull(long more) {
        return waiting.size() >= MOST_WAITING || (bytes > 0 && bytes + more > MOST_BYTES);
    }

    /** The writer goes on when it is interrupted; its own loop sees the flag. */
    @SuppressWarnings("WaitNotInLoop") // the caller's loop looks at the condition
    private long await(long nanos) {
        try {
            return changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    @Override
    public void run(Heartbeat pulse) {
        pulse.idle();
        for (Delivery next = take(); next != null; next = take()) {
            pulse.beat();
            next.tickets().forEach(this::complete);
            next.hints().forEach(this::offer);
            pulse.idle();
        }
    }

    /** Without a thread of its own, a completion still comes: a caller waits for it. */
    private void complete(Ticket<?> ticket) {
        try {
            callbacks.execute(ticket::complete);
        } catch (RuntimeException | Error e) {
            LOG.error("A completion of the journal got no thread of its own", e);
            ticket.complete();
        }
    }

    /** A hint may be lost; those after it are not lost with it. */
    private void offer(FeedItem hint) {
        try {
            feed.offer(hint);
        } catch (RuntimeException | Error e) {
            LOG.error("A hint of the journal was lost", e);
        }
    }

    private Delivery take() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            changed.signalAll();
            Delivery next = waiting.poll();
            bytes -= next == null ? 0 : next.bytes();
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Delivers what waits and ends; the writer has ended before. */
    public void close(SupervisedLoop runner, long millis) throws InterruptedException {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        runner.stop();
        runner.join(millis);
        callbacks.shutdown();
        if (!callbacks.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
            callbacks.shutdownNow();
        }
    }
}
