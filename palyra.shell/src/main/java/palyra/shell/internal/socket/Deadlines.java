package palyra.shell.internal.socket;

import java.util.concurrent.TimeUnit;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;

/** Runs something unless it is called off in time. One thread; what it runs must be quick. */
final class Deadlines implements AutoCloseable {
    private final SupervisedTimer timer =
            new SupervisedTimer(LoopSpec.of("palyra-shell-deadlines", "palyra.shell"));

    /** Runs {@code action} after {@code millis} unless the returned guard is closed before. */
    Guard in(long millis, Runnable action) {
        return timer.after(millis, TimeUnit.MILLISECONDS, action)::cancel;
    }

    /** Something to be called off. */
    @FunctionalInterface
    interface Guard extends AutoCloseable {
        @Override
        void close();
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return timer.view();
    }

    @Override
    public void close() {
        timer.close();
    }
}
