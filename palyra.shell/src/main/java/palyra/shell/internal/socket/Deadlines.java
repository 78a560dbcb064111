package palyra.shell.internal.socket;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs something unless it is called off in time. One thread; what it runs must be quick. */
final class Deadlines implements AutoCloseable {
    private static final long STOP_MILLIS = 2_000;
    private final ScheduledThreadPoolExecutor timer;

    Deadlines() {
        timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        work -> {
                            Thread thread = new Thread(work, "palyra-shell-deadlines");
                            thread.setDaemon(true);
                            return thread;
                        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs {@code action} after {@code millis} unless the returned guard is closed before. */
    Guard in(long millis, Runnable action) {
        ScheduledFuture<?> planned = timer.schedule(action, millis, TimeUnit.MILLISECONDS);
        return () -> planned.cancel(false);
    }

    /** Something to be called off. */
    @FunctionalInterface
    interface Guard extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        try {
            timer.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
