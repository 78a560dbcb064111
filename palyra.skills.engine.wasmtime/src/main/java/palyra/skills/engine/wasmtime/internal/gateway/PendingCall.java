package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmResult;

/**
 * A call's stop reason and its one result. Its thread is interrupted only where it allows that: in
 * a host function, and while it waits for a worker.
 */
final class PendingCall {
    private static final Logger LOG = LoggerFactory.getLogger(PendingCall.class);

    private final WasmCall call;
    private final Consumer<WasmResult> sink;
    private final AtomicBoolean delivered = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile WasmEnding reason; // set under lock: why it is to end; null while it is not
    private volatile boolean over;
    private Thread waiting; // guarded by lock: who may be interrupted
    private boolean host; // guarded by lock: whether it is in a host function

    PendingCall(WasmCall call, Consumer<WasmResult> sink) {
        this.call = call;
        this.sink = sink;
    }

    WasmCall call() {
        return call;
    }

    /**
     * Allows interrupts of this thread; returns false when the call was stopped before.
     *
     * @param inHost whether a host function runs, which may never let go
     */
    boolean allowInterrupt(boolean inHost) {
        lock.lock();
        try {
            waiting = reason == null ? Thread.currentThread() : null;
            host = inHost && reason == null;
            return reason == null;
        } finally {
            lock.unlock();
        }
    }

    /** Forbids interrupts of the thread again. */
    void forbidInterrupt() {
        lock.lock();
        try {
            waiting = null;
            host = false;
        } finally {
            lock.unlock();
        }
        if (Thread.interrupted()) {
            LOG.debug("The thread of call {} was interrupted.", call.callId());
        }
    }

    /** Stops the call: keeps the first reason, and interrupts the thread where that is allowed. */
    void stop(WasmEnding why) {
        lock.lock();
        try {
            if (reason == null && !over) {
                reason = why;
            }
            if (waiting != null) {
                waiting.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the thread is in a host function. */
    boolean inHost() {
        lock.lock();
        try {
            return host;
        } finally {
            lock.unlock();
        }
    }

    /** Returns why the call is stopped; null when it is not. */
    WasmEnding reason() {
        return reason;
    }

    void finish() {
        over = true;
    }

    boolean over() {
        return over;
    }

    /** Delivers the result, unless one was delivered. */
    void deliver(WasmResult result) {
        if (!delivered.compareAndSet(false, true)) {
            return;
        }
        try {
            sink.accept(result);
        } catch (RuntimeException e) {
            LOG.error("The caller of call {} failed to take its result.", call.callId(), e);
        }
    }

    /** Delivers a result without measurements. */
    void deliver(WasmEnding ending, String detail) {
        deliver(new WasmResult(call.callId(), ending, 0, 0, 0, detail, 0, 0));
    }

    /** Returns the detail of a call that was ended. */
    String sentence(WasmEnding why) {
        return switch (why) {
            case DEADLINE -> "Its time of " + call.timeoutMillis() + " ms ran out.";
            case CANCELLED -> "It was stopped.";
            default -> "The engine was stopped.";
        };
    }
}
