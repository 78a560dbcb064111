package palyra.skills.engine.endive.internal.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmResult;
import run.endive.runtime.WasmInterruptedException;

/**
 * A running call: its thread, its stop reason, and its one result. Interrupts reach the thread only
 * while that works for this call.
 */
public final class RunningCall {
    private static final Logger LOG = LoggerFactory.getLogger(RunningCall.class);

    private final WasmCall call;
    private final Consumer<WasmResult> sink;
    private final AtomicBoolean delivered = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private Thread thread; // guarded by lock: who runs it now; null before and after
    private volatile WasmEnding reason; // set under lock: why it is to end; null while it is not
    private boolean over; // guarded by lock

    /** Makes a call that has not begun. */
    public RunningCall(WasmCall call, Consumer<WasmResult> sink) {
        this.call = call;
        this.sink = sink;
    }

    /** Returns the call. */
    public WasmCall call() {
        return call;
    }

    /** Begins on this thread; returns whether it is still to run. */
    boolean begin() {
        lock.lock();
        try {
            if (reason != null) {
                return false;
            }
            thread = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends on this thread, which is not interrupted any more. */
    void end() {
        lock.lock();
        try {
            thread = null;
            over = true;
        } finally {
            lock.unlock();
        }
        if (Thread.interrupted()) {
            LOG.debug("The thread of call {} was interrupted.", call.callId());
        }
    }

    /**
     * Ends it; the first reason counts. Call it again until it is {@link #over}, because a host
     * function may have swallowed the interrupt.
     */
    public void stop(WasmEnding why) {
        lock.lock();
        try {
            if (over) {
                return;
            }
            if (reason == null) {
                reason = why;
            }
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
        stopped.complete(null);
    }

    /** Returns whether its thread is done with it, or never began. */
    public boolean over() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    /** Returns why the call was stopped; null when it was not. */
    WasmEnding reason() {
        return reason;
    }

    /** Ends the call here when it was stopped, even if the interrupt was lost. */
    void requireNotStopped() {
        if (reason != null) {
            throw new WasmInterruptedException("the call was stopped");
        }
    }

    /** Completes when the call is stopped. */
    CompletableFuture<Void> stopped() {
        return stopped;
    }

    /** Delivers the result, unless one was delivered; returns whether this one was. */
    boolean deliver(WasmResult result) {
        if (!delivered.compareAndSet(false, true)) {
            return false;
        }
        try {
            sink.accept(result);
        } catch (RuntimeException e) {
            LOG.error("The caller of call {} failed to take its result.", call.callId(), e);
        }
        return true;
    }

    /** Delivers the result of a stopped call whose thread does not return. */
    void deliverStopped() {
        WasmEnding why = reason();
        deliver(
                new WasmResult(
                        call.callId(),
                        why == null ? WasmEnding.OTHER : why,
                        0,
                        0,
                        0,
                        "A host function did not return; the fuel that the call used is unknown.",
                        0,
                        0));
    }
}
