package palyra.shell.internal.socket;

import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;
import palyra.shared.socket.FrameChannel;

/** Runs actions after a timeout unless they are cancelled. One thread; actions must be quick. */
final class Deadlines implements AutoCloseable {
    private final SupervisedTimer timer =
            new SupervisedTimer(LoopSpec.of("palyra-shell-deadlines", "palyra.shell"));

    /** Runs {@code action} after {@code millis} unless the result is closed before. */
    FrameChannel.Timeout in(long millis, Runnable action) {
        return timer.after(millis, TimeUnit.MILLISECONDS, action)::cancel;
    }

    /** Returns a channel that these limits close. */
    FrameChannel limit(SocketChannel channel, Limits limits) {
        return new FrameChannel(
                channel,
                action -> in(limits.requestTimeoutMillis(), action),
                action -> in(limits.stallTimeoutMillis(), action));
    }

    /** Returns the state of the thread. */
    LoopView loop() {
        return timer.view();
    }

    @Override
    public void close() {
        timer.close();
    }
}
