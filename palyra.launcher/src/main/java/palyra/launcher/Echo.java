package palyra.launcher;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the terminal from showing what is typed, by stty(1). A child process holds the former state
 * and puts it back when its standard input ends: when it is told to, and also when this process is
 * gone, however it went. The signals of the terminal do not reach it. Not thread-safe.
 */
final class Echo implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 2_000;
    private static final String GUARD =
            "trap '' INT QUIT TERM HUP TSTP TTIN TTOU; saved=$(stty -g <\"$1\") || exit 1;"
                    + " stty -echo <\"$1\" && echo hidden; read -r end; stty \"$saved\" <\"$1\"";

    private final boolean terminal;
    private final File device;
    private Process guard; // null while what is typed is shown

    /**
     * Creates one that hides nothing yet.
     *
     * @param terminal whether there is a terminal to type at; without one nothing is done
     */
    Echo(boolean terminal, File device) {
        this.terminal = terminal;
        this.device = device;
    }

    /** Hides what is typed from now on; false when that cannot be done here. */
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
            return false; // no shell, no stty: the escape sequence hides what it can
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

    /** Shows it again, as it was before; waits until that is done, at most two seconds. */
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
