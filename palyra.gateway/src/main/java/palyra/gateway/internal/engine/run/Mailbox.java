package palyra.gateway.internal.engine.run;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.model.ModelEvent;

/**
 * The queue on which a run's worker waits, and the only place where it blocks. Model events are
 * bounded in bytes and hold back their provider; outcomes and the requests to cancel or stop are
 * few, never wait, and go first.
 */
public final class Mailbox {
    /** Something for the worker. */
    public sealed interface Letter {}

    /** The turn under way reports. */
    public record FromModel(String requestId, ModelEvent event) implements Letter {}

    /** A tool call ended. */
    public record FromTool(ToolOutcome outcome) implements Letter {}

    /** Look at the flags: the run is to be cancelled, or the engine stops. */
    public record Wake() implements Letter {}

    /** Most bytes of model events that wait; an event always finds room when none waits. */
    public static final int MOST_BYTES = 64 * 1_024;

    private static final int BYTES_OF_EVENT = 96;

    /** Longer than the longest turn, at whose end the worker listens no more. */
    private static final long PATIENCE_HOURS = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final ArrayDeque<Letter> urgent = new ArrayDeque<>(); // guarded by lock
    private final ArrayDeque<FromModel> events = new ArrayDeque<>(); // guarded by lock
    private long bytes; // guarded by lock; of events
    private String openRequest = ""; // guarded by lock; events of other requests are dropped

    /** Takes events of this request only from now on; an empty id takes none. */
    public void listenTo(String requestId) {
        lock.lock();
        try {
            openRequest = requestId;
            events.clear();
            bytes = 0;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Puts a model event, waiting while the worker is behind or waits for memory; false when no
     * worker listens to the request, as at the end of the turn.
     */
    public boolean offer(String requestId, ModelEvent event) {
        long size = bytesOf(event);
        lock.lock();
        try {
            long left = TimeUnit.HOURS.toNanos(PATIENCE_HOURS);
            while (openRequest.equals(requestId)
                    && !events.isEmpty()
                    && bytes + size > MOST_BYTES) {
                if (left <= 0) {
                    return false;
                }
                left = drained.awaitNanos(left);
            }
            if (!openRequest.equals(requestId)) {
                return false;
            }
            events.add(new FromModel(requestId, event));
            bytes += size;
            filled.signal();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Two bytes a character, which is the most that a text takes. */
    private static long bytesOf(ModelEvent event) {
        long chars =
                switch (event) {
                    case ModelEvent.TextDelta delta -> delta.text().length();
                    case ModelEvent.ThoughtDelta delta -> delta.text().length();
                    case ModelEvent.Proposed proposed ->
                            (long) proposed.proposal().inputJson().length()
                                    + proposed.proposal().toolName().length();
                    case ModelEvent.Finished ignored -> 0;
                    case ModelEvent.Failed ignored -> 0;
                };
        return BYTES_OF_EVENT + 2 * chars;
    }

    /** Returns how many bytes of model events wait. */
    long waitingBytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Puts something that never waits. */
    public void urgent(Letter letter) {
        lock.lock();
        try {
            urgent.add(letter);
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next letter, urgent ones first; null when none came in time. */
    public Letter take(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (urgent.isEmpty() && events.isEmpty() && left > 0) {
                left = filled.awaitNanos(left);
            }
            if (!urgent.isEmpty()) {
                return urgent.poll();
            }
            FromModel event = events.poll();
            if (event != null) {
                bytes -= bytesOf(event.event());
                drained.signal();
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Wake();
        } finally {
            lock.unlock();
        }
    }
}
