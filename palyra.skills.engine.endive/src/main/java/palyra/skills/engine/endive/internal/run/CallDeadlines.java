package palyra.skills.engine.endive.internal.run;

import java.util.concurrent.TimeUnit;
import palyra.api.core.ops.LoopView;
import palyra.api.core.wasm.WasmEnding;
import palyra.shared.deadline.Deadlines;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;

/** Ends calls whose time is over; one thread for all of them. */
public final class CallDeadlines implements AutoCloseable {
    /** Interval of the interrupts of a call that does not end. */
    private static final long REMIND_MILLIS = 20;

    /** After that its result is delivered without it. */
    private static final long PATIENCE_MILLIS = 1_500;

    private final SupervisedTimer timer =
            new SupervisedTimer(
                    LoopSpec.of("palyra-wasm-endive-watch", "palyra.skills.engine.endive"));
    private final Deadlines deadlines = new Deadlines(timer);

    /** Returns deadlines for the engine's other work; they end with this. */
    public Deadlines deadlines() {
        return deadlines;
    }

    /** Ends a call after its time, unless the returned deadline is cancelled. */
    public Deadlines.Deadline at(RunningCall running, long millis) {
        return deadlines.after(millis, () -> stop(running, WasmEnding.DEADLINE));
    }

    /** Ends a call now, and sees to it that it ends. */
    public void stop(RunningCall running, WasmEnding why) {
        running.stop(why);
        remind(running, why, System.nanoTime());
    }

    private void remind(RunningCall running, WasmEnding why, long from) {
        if (running.over() || timer.isClosed()) {
            return;
        }
        // First, so that one that fails is followed by another.
        timer.after(REMIND_MILLIS, TimeUnit.MILLISECONDS, () -> remind(running, why, from));
        running.stop(why);
        if (System.nanoTime() - from > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
            running.deliverStopped();
        }
    }

    /** Returns how its thread is. */
    public LoopView loop() {
        return timer.view();
    }

    @Override
    public void close() {
        timer.close();
    }
}
