package palyra.gateway.internal.engine;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.model.ModelEvent;

/**
 * Everything that a run's worker waits for arrives here: the one place where it sleeps. Model
 * events are bounded and hold back their provider; outcomes and the requests to cancel or stop are
 * few, never wait, and go first.
 */
final class Mailbox {
    /** Something for the worker. */
    sealed interface Letter {}

    /** The turn under way reports. */
    record FromModel(String requestId, ModelEvent event) implements Letter {}

    /** A tool call ended. */
    record FromTool(ToolOutcome outcome) implements Letter {}

    /** Look at the flags: the run is to be cancelled, or the engine stops. */
    record Wake() implements Letter {}

    private static final int MAX_MODEL_EVENTS = 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final ArrayDeque<Letter> urgent = new ArrayDeque<>(); // guarded by lock
    private final ArrayDeque<FromModel> events = new ArrayDeque<>(); // guarded by lock
    private String openRequest = ""; // guarded by lock; events of other requests are dropped

    /** Takes events of this request only from now on; an empty id takes none. */
    void listenTo(String requestId) {
        lock.lock();
        try {
            openRequest = requestId;
            events.clear();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Puts a model event, waiting while the worker is behind; false when nobody listens to the
     * request.
     */
    boolean offer(String requestId, ModelEvent event) {
        lock.lock();
        try {
            while (openRequest.equals(requestId) && events.size() >= MAX_MODEL_EVENTS) {
                if (!drained.await(60, TimeUnit.SECONDS)) {
                    return false;
                }
            }
            if (!openRequest.equals(requestId)) {
                return false;
            }
            events.add(new FromModel(requestId, event));
            filled.signal();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Puts something that never waits. */
    void urgent(Letter letter) {
        lock.lock();
        try {
            urgent.add(letter);
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next letter, urgent ones first; null when none came in time. */
    Letter take(long nanos) {
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
            drained.signal();
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Wake();
        } finally {
            lock.unlock();
        }
    }
}
