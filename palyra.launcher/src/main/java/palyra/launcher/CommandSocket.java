package palyra.launcher;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Connects to the command socket. While a gateway runs and takes no commands, because its shell is
 * being replaced or it is still starting, that is waited for: nothing was sent yet.
 */
final class CommandSocket {
    /** A swap takes a second or two, a start on a busy machine some more. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long LOOK_MILLIS = 50;

    private final Path state;
    private final Path socket;
    private final Duration patience;

    CommandSocket(Path state, Path socket, Duration patience) {
        this.state = state;
        this.socket = socket;
        this.patience = patience;
    }

    /**
     * Connects.
     *
     * @param waiting told once, when there is something to wait for
     * @throws SilentGatewayException when a gateway runs and took no commands in time
     * @throws IOException when none runs, or the socket cannot be used
     */
    FrameChannel connect(Runnable waiting) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        boolean told = false;
        while (true) {
            try {
                return FrameChannel.connect(socket);
            } catch (ConnectException | SocketException e) {
                if (!StateLock.isHeld(state)) {
                    throw e;
                }
                if (System.nanoTime() - end >= 0) {
                    throw new SilentGatewayException(
                            "the gateway of state folder "
                                    + state
                                    + " runs, but took no commands within "
                                    + patience.toSeconds()
                                    + " s; look into "
                                    + state.resolve("logs/palyra.log"),
                            e);
                }
                if (!told) {
                    waiting.run();
                    told = true;
                }
                pause();
            }
        }
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
