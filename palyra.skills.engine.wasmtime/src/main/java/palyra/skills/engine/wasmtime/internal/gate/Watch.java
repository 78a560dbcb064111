package palyra.skills.engine.wasmtime.internal.gate;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import palyra.api.core.wasm.WasmEnding;
import palyra.shared.deadline.Deadlines;

/** Ends calls whose time is over, and a worker that does not end them; one thread for all. */
final class Watch implements AutoCloseable {
    private static final long REMIND_MILLIS = 20;

    /** After that the result of a call is told without its host function. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** After that a worker that does not end a call is killed. */
    private static final long WORKER_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final ScheduledThreadPoolExecutor thread;
    private final Deadlines deadlines;

    Watch() {
        thread =
                new ScheduledThreadPoolExecutor(
                        1,
                        work -> {
                            Thread made = new Thread(work, "palyra-wasm-wasmtime-watch");
                            made.setDaemon(true);
                            return made;
                        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        deadlines = new Deadlines(thread);
    }

    Deadlines.Deadline at(RemoteCall call, long millis) {
        return deadlines.after(millis, () -> stop(call, WasmEnding.DEADLINE));
    }

    void every(long millis, Runnable work) {
        thread.scheduleWithFixedDelay(work, millis, millis, TimeUnit.MILLISECONDS);
    }

    void stop(RemoteCall call, WasmEnding why) {
        remind(call, why, System.nanoTime());
    }

    private void remind(RemoteCall call, WasmEnding why, long from) {
        Ticket ticket = call.ticket();
        if (ticket.over() || thread.isShutdown()) {
            return;
        }
        call.stop(why);
        long waited = System.nanoTime() - from;
        if (waited > PATIENCE_NANOS && ticket.inHost()) {
            ticket.tell(
                    ticket.reason() == null ? why : ticket.reason(),
                    "A host function did not let go of the call; what it used is unknown.");
        } else if (waited > WORKER_NANOS) {
            call.killWorker();
        }
        thread.schedule(() -> remind(call, why, from), REMIND_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
