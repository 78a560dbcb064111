package palyra.skills.internal.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.wasm.WasmEngine;
import palyra.skills.internal.model.SkillId;

/**
 * A running call, over all its starts. A request to stop it is passed on to the engine that has the
 * call, now or as soon as one has. Thread-safe.
 */
final class RunningCall {
    private final SkillId skill;
    private final CountDownLatch over = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private WasmEngine engine; // guarded by lock; null while none has it
    private String engineCallId; // guarded by lock
    private String stopReason; // guarded by lock; null until a stop is requested

    RunningCall(SkillId skill) {
        this.skill = skill;
    }

    SkillId skill() {
        return skill;
    }

    /** Sets the engine of the call; stops it there at once when a stop was requested before. */
    void startedOn(WasmEngine started, String callId) {
        boolean stop;
        lock.lock();
        try {
            engine = started;
            engineCallId = callId;
            stop = stopReason != null;
        } finally {
            lock.unlock();
        }
        if (stop) {
            started.cancel(callId);
        }
    }

    /** Clears the engine of the call. */
    void left() {
        lock.lock();
        try {
            engine = null;
        } finally {
            lock.unlock();
        }
    }

    /** Asks it to stop; the first reason stays. */
    void stop(String reason) {
        WasmEngine running;
        String callId;
        lock.lock();
        try {
            stopReason = stopReason == null ? reason : stopReason;
            running = engine;
            callId = engineCallId;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.cancel(callId);
        }
    }

    /** Returns why it is to stop; null when it is not. */
    String stopReason() {
        lock.lock();
        try {
            return stopReason;
        } finally {
            lock.unlock();
        }
    }

    void ended() {
        over.countDown();
    }

    CountDownLatch over() {
        return over;
    }
}
