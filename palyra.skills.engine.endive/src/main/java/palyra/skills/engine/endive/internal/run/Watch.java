package palyra.skills.engine.endive.internal.run;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import palyra.api.core.wasm.WasmEnding;
import palyra.shared.deadline.Deadlines;

/** Ends calls whose time is over; one thread for all of them. */
public final class Watch implements AutoCloseable {
    /** How often a call is reminded that does not end. */
    private static final long REMIND_MILLIS = 20;

    /** After that its result is told without it. */
    private static final long PATIENCE_MILLIS = 1_500;

    private final ScheduledThreadPoolExecutor thread;
    private final Deadlines deadlines;

    /** Makes it; the thread starts with the first call. */
    public Watch() {
        thread =
                new ScheduledThreadPoolExecutor(
                        1,
                        work -> {
                            Thread made = new Thread(work, "palyra-wasm-endive-watch");
                            made.setDaemon(true);
                            return made;
                        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        deadlines = new Deadlines(thread);
    }

    /** Ends a call after its time, unless the returned deadline is cancelled. */
    Deadlines.Deadline at(Running running, long millis) {
        return deadlines.after(millis, () -> stop(running, WasmEnding.DEADLINE));
    }

    /** Ends a call now, and sees to it that it ends. */
    public void stop(Running running, WasmEnding why) {
        running.stop(why);
        remind(running, why, System.nanoTime());
    }

    private void remind(Running running, WasmEnding why, long from) {
        if (running.over() || thread.isShutdown()) {
            return;
        }
        running.stop(why);
        if (System.nanoTime() - from > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
            running.tellStopped();
        }
        thread.schedule(() -> remind(running, why, from), REMIND_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
