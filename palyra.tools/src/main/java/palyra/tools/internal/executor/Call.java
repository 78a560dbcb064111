package palyra.tools.internal.executor;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.shared.loop.SupervisedTimer;

/**
 * One call, from its start until its outcome is forgotten. It ends once; the thread that ends it
 * gets the sink and delivers the outcome. Thread-safe.
 */
final class Call {
    private final ToolRegistry.Offer offer;
    private final String callId;
    private final int attempt;
    private final long startedAtMillis = System.currentTimeMillis();

    private final CountDownLatch released = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private ToolOrder order; // guarded by lock; null once the end is decided
    private Consumer<ToolOutcome> sink; // guarded by lock; null once the end is decided
    private Thread thread; // guarded by lock
    private boolean executing; // guarded by lock: the tool's code has the thread
    private Outcome stop; // guarded by lock; null until a stop is requested
    private ToolOutcome outcome; // guarded by lock; null while it runs
    private long endedNanos; // guarded by lock
    private SupervisedTimer.Task timer; // guarded by lock; the action at the deadline

    Call(ToolRegistry.Offer offer, ToolOrder order, Consumer<ToolOutcome> sink) {
        this.offer = offer;
        this.order = order;
        callId = order.invocation().callId();
        attempt = order.invocation().attempt();
        this.sink = sink;
    }

    /** An outcome with the sink that receives it. */
    record Delivery(Consumer<ToolOutcome> sink, ToolOutcome outcome) {}

    ToolRegistry.Offer offer() {
        return offer;
    }

    String callId() {
        return callId;
    }

    int attempt() {
        return attempt;
    }

    long startedAtMillis() {
        return startedAtMillis;
    }

    /**
     * Keeps the timer that watches the call, in place of the one before; an ended call needs none.
     */
    void watchedBy(SupervisedTimer.Task newTimer) {
        lock.lock();
        try {
            cancelTimer();
            timer = newTimer;
            if (outcome != null) {
                cancelTimer();
            }
        } finally {
            lock.unlock();
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Starts the thread that runs the call. */
    void startOn(Thread newThread) {
        lock.lock();
        try {
            thread = newThread;
            newThread.start();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether this thread runs the call. */
    boolean isOnThisThread() {
        lock.lock();
        try {
            return thread == Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that its thread is done with it, or never came to be. */
    void release() {
        released.countDown();
    }

    /** Waits until that is so. A call that was admitted and has no thread yet is waited for too. */
    void awaitRelease(long millis) throws InterruptedException {
        released.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Marks the thread as executing the tool, and returns the order to call it with; empty when the
     * call was stopped before it began.
     */
    Optional<ToolOrder> begin() {
        lock.lock();
        try {
            executing = stop == null;
            return executing ? Optional.of(order) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the thread back from the tool's code: from here on nothing interrupts it. */
    void leaveTool() {
        lock.lock();
        try {
            executing = false;
        } finally {
            lock.unlock();
        }
        Thread.interrupted(); // an interrupt of the tool must not reach the sink
    }

    /** Asks the call to stop; the first reason stays. Returns whether this was the first. */
    boolean stop(Outcome why) {
        lock.lock();
        try {
            if (stop != null || outcome != null) {
                return false;
            }
            stop = why;
            if (executing) {
                thread.interrupt();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns why the call was asked to stop; empty when it was not. */
    Optional<Outcome> stopped() {
        lock.lock();
        try {
            return Optional.ofNullable(stop);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether its end is not decided, or the tool's code still runs all the same. */
    boolean active() {
        lock.lock();
        try {
            return outcome == null || executing;
        } finally {
            lock.unlock();
        }
    }

    /** Decides the end; empty when it was decided before. */
    Optional<Delivery> end(ToolOutcome how) {
        lock.lock();
        try {
            if (outcome != null) {
                return Optional.empty();
            }
            outcome = how;
            endedNanos = System.nanoTime();
            Consumer<ToolOutcome> receiver = sink;
            sink = null;
            order = null; // its input may be large, and outcomes are kept for long
            cancelTimer();
            return Optional.of(new Delivery(receiver, how));
        } finally {
            lock.unlock();
        }
    }

    /** Replaces the sink while the call runs; returns the outcome when it has ended. */
    Optional<ToolOutcome> attach(Consumer<ToolOutcome> newSink) {
        lock.lock();
        try {
            if (outcome == null) {
                sink = newSink;
            }
            return Optional.ofNullable(outcome);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the outcome; empty while it runs. */
    Optional<ToolOutcome> outcome() {
        lock.lock();
        try {
            return Optional.ofNullable(outcome);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it ended at least so long ago. */
    boolean endedBefore(long nanosAgo) {
        lock.lock();
        try {
            return outcome != null && System.nanoTime() - endedNanos >= nanosAgo;
        } finally {
            lock.unlock();
        }
    }
}
