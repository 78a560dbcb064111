package palyra.launcher;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import palyra.shared.socket.FrameChannel;

/**
 * Connects to the command socket for one command. While a gateway runs and takes no commands,
 * because its shell is being replaced or it is still starting, that is waited for: nothing ran yet.
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
    private boolean told;

    /**
     * Begins the wait.
     *
     * @param patience how long a gateway that runs may take no commands
     * @param notice told once, when there is something to wait for
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
     * @throws SilentGatewayException when a gateway runs and took no commands in time
     * @throws IOException when none runs, or the socket cannot be used
     */
    FrameChannel connect() throws IOException {
        while (true) {
            try {
                return FrameChannel.connect(socket);
            } catch (SocketException e) {
                awaitAnother(e);
            }
        }
    }

    /**
     * Waits a moment, after which another try may succeed.
     *
     * @param problem of the last try; thrown when no gateway runs that could be waited for
     */
    void awaitAnother(IOException problem) throws IOException {
        if (!StateLock.isHeld(state)) {
            throw problem;
        }
        if (System.nanoTime() - endNanos >= 0) {
            throw new SilentGatewayException(
                    "the gateway of state folder "
                            + state
                            + " runs, but took no commands within "
                            + patience.toSeconds()
                            + " s; look into "
                            + state.resolve("logs/palyra.log"),
                    problem);
        }
        if (!told) {
            notice.accept(
                    "the gateway takes no commands at the moment (it is starting or stopping, or"
                            + " its shell is being replaced); waiting up to "
                            + patience.toSeconds()
                            + " s");
            told = true;
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
