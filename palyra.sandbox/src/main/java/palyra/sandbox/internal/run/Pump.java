package palyra.sandbox.internal.run;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import palyra.sandbox.internal.output.CapturedOutput;

/**
 * Reads one stream of a command until every holder has closed it. A command that writes without end
 * is slowed down after a while, so that it does not keep a processor of the gateway busy.
 */
final class Pump implements Runnable {
    private static final int BUFFER = 32 * 1024;

    /** How much is read as fast as it comes. */
    private static final long FAST_BYTES = 64L << 20;

    /** Pause after each further buffer: about 32 MiB in a second. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final InputStream stream;
    private final CapturedOutput captured;
    private Thread thread; // null until it was started; of the run's own thread

    Pump(InputStream stream, CapturedOutput captured) {
        this.stream = stream;
        this.captured = captured;
    }

    /** Starts it; called once. */
    void start(String name) {
        thread = Threads.start(name, this);
    }

    @Override
    public void run() {
        byte[] buffer = new byte[BUFFER];
        long total = 0;
        try {
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                captured.add(buffer, read);
                total += read;
                if (total > FAST_BYTES) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (IOException e) {
            return; // the stream was closed under it: the run is over
        }
    }

    /** Waits for its end; returns whether it has ended. */
    boolean join(long untilNanos) throws InterruptedException {
        if (thread == null) {
            return true;
        }
        long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
        if (thread.isAlive() && left > 0) {
            thread.join(left);
        }
        return !thread.isAlive();
    }
}
