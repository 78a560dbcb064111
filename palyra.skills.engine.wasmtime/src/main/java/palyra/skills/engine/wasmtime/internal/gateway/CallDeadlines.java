package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.concurrent.TimeUnit;
import palyra.api.core.ops.LoopView;
import palyra.api.core.wasm.WasmEnding;
import palyra.shared.deadline.Deadlines;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;

/** Ends calls whose time is over, and a worker that does not end them; one thread for all. */
final class CallDeadlines implements AutoCloseable {
    private static final long REMIND_MILLIS = 20;

    /** After that the result of a call is delivered without its host function. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** After that a worker that does not end a call is killed. */
    private static final long WORKER_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final SupervisedTimer timer =
            new SupervisedTimer(
                    LoopSpec.of("palyra-wasm-wasmtime-watch", "palyra.skills.engine.wasmtime"));
    private final Deadlines deadlines = new Deadlines(timer);

    Deadlines.Deadline at(RemoteCall call, long millis) {
        return deadlines.after(millis, () -> stop(call, WasmEnding.DEADLINE));
    }

    void every(long millis, Runnable work) {
        timer.every(millis, TimeUnit.MILLISECONDS, work);
    }

    void stop(RemoteCall call, WasmEnding why) {
        remind(call, why, System.nanoTime());
    }

    private void remind(RemoteCall call, WasmEnding why, long from) {
        PendingCall pendingCall = call.pendingCall();
        if (pendingCall.over() || timer.isClosed()) {
            return;
        }
        // First, so that one that fails is followed by another.
        timer.after(REMIND_MILLIS, TimeUnit.MILLISECONDS, () -> remind(call, why, from));
        call.stop(why);
        long waited = System.nanoTime() - from;
        if (waited > PATIENCE_NANOS && pendingCall.inHost()) {
            pendingCall.deliver(
                    pendingCall.reason() == null ? why : pendingCall.reason(),
                    "A host function did not return; the fuel that the call used is unknown.");
        } else if (waited > WORKER_NANOS) {
            call.killWorker();
        }
    }

    /** Returns how its thread is. */
    LoopView loop() {
        return timer.view();
    }

    @Override
    public void close() {
        timer.close();
    }
}
