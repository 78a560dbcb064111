package palyra.launcher;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * Switches the echo of the terminal off with stty(1). A child process keeps the previous state and
 * restores it when its standard input ends, so also when this process crashes. Terminal signals do
 * not reach the child. Not thread-safe.
 */
final class TerminalEcho implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 2_000;
    private static final String GUARD =
            "trap '' INT QUIT TERM HUP TSTP TTIN TTOU; saved=$(stty -g <\"$1\") || exit 1;"
                    + " stty -echo <\"$1\" && echo hidden; read -r end; stty \"$saved\" <\"$1\"";

    private final boolean terminal;
    private final File device;
    private Process guard; // null while the echo is on

    /**
     * Creates an instance; the echo stays on.
     *
     * @param terminal whether standard input is a terminal; else nothing is done
     */
    TerminalEcho(boolean terminal, File device) {
        this.terminal = terminal;
        this.device = device;
    }

    /** Switches the echo off; returns false when that is not possible. */
    boolean hide() {
        if (!terminal || guard != null) {
            return guard != null;
        }
        try {
            Process started =
                    new ProcessBuilder("sh", "-c", GUARD, "palyra-echo", device.getPath())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (isHidden(started)) {
                guard = started;
                return true;
            }
            end(started);
        } catch (IOException e) {
            return false; // no shell or no stty: the escape sequence may still conceal the input
        }
        return false;
    }

    /** The shell says so in one line, or ends. */
    private static boolean isHidden(Process started) throws IOException {
        InputStream said = started.getInputStream();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (said.available() == 0 && started.isAlive() && System.nanoTime() < end) {
            try {
                started.waitFor(5, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return said.available() > 0;
    }

    /** Restores the previous state; waits for it at most two seconds. */
    void show() {
        if (guard != null) {
            end(guard);
            guard = null;
        }
    }

    private static void end(Process guard) {
        try {
            guard.getOutputStream().close();
        } catch (IOException e) {
            // it ended by itself
        }
        boolean interrupted = Thread.interrupted();
        try {
            guard.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        show();
    }
}
