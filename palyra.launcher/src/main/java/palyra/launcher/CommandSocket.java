package palyra.launcher;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import palyra.shared.socket.FrameChannel;

/**
 * Connects to the command socket for one command. Waits while the gateway runs and accepts no
 * commands, because its shell is being replaced or it is still starting.
 */
final class CommandSocket {
    /** A swap takes a second or two, a start on a busy machine some more. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long LOOK_MILLIS = 50;

    private final Path state;
    private final Path socket;
    private final Duration patience;
    private final Consumer<String> notice;
    private final long endNanos;
    private boolean noticeGiven;

    /**
     * Begins the wait.
     *
     * @param patience how long to wait for a running gateway to accept commands
     * @param notice called once when a wait begins
     */
    CommandSocket(Path state, Path socket, Duration patience, Consumer<String> notice) {
        this.state = state;
        this.socket = socket;
        this.patience = patience;
        this.notice = notice;
        this.endNanos = System.nanoTime() + patience.toNanos();
    }

    /**
     * Connects.
     *
     * @throws GatewayUnresponsiveException when a running gateway accepted no commands in time
     * @throws IOException when no gateway runs, or the socket cannot be used
     */
    FrameChannel connect() throws IOException {
        while (true) {
            try {
                return FrameChannel.connect(socket);
            } catch (SocketException e) {
                awaitRetry(e);
            }
        }
    }

    /**
     * Waits a moment before the next attempt.
     *
     * @param problem of the last attempt; thrown when no gateway runs
     */
    void awaitRetry(IOException problem) throws IOException {
        if (!StateLock.isHeld(state)) {
            throw problem;
        }
        if (System.nanoTime() - endNanos >= 0) {
            throw new GatewayUnresponsiveException(
                    "the gateway of state folder "
                            + state
                            + " runs, but accepted no command within "
                            + patience.toSeconds()
                            + " s; see "
                            + state.resolve("logs/palyra.log"),
                    problem);
        }
        if (!noticeGiven) {
            notice.accept(
                    "the gateway accepts no commands at the moment (it is starting or stopping, or"
                            + " its shell is being replaced); waiting up to "
                            + patience.toSeconds()
                            + " s");
            noticeGiven = true;
        }
        pause();
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("waiting for the gateway was interrupted");
        }
    }
}
