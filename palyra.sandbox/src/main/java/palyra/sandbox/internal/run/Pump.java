package palyra.sandbox.internal.run;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * Reads one stream of a command until every holder has closed it. Beyond the budget it goes on
 * reading and keeps nothing, so that a dying command is not held up by a full pipe.
 */
final class Pump implements Runnable {
    /** Two pumps that read at the same time take at most 64 KiB more than the budget. */
    private static final int BUFFER = 32 * 1024;

    private final InputStream stream;
    private final CapturedOutput captured;
    private final OutputLimit outputLimit;
    private final Runnable overdrawn;
    private Thread thread; // null until it was started; of the run's own thread

    /**
     * @param overdrawn called on the pump's thread when there was more than the budget
     */
    Pump(InputStream stream, CapturedOutput captured, OutputLimit outputLimit, Runnable overdrawn) {
        this.stream = stream;
        this.captured = captured;
        this.outputLimit = outputLimit;
        this.overdrawn = overdrawn;
    }

    /** Starts it; called once. */
    void start(String name) {
        thread = Threads.start(name, this);
    }

    @Override
    public void run() {
        byte[] buffer = new byte[BUFFER];
        try {
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                keep(buffer, read);
            }
        } catch (IOException e) {
            return; // the stream was closed under it: the run is over
        }
    }

    private void keep(byte[] buffer, int read) {
        int kept = outputLimit.take(read);
        captured.add(buffer, kept);
        if (kept < read) {
            captured.cut();
            overdrawn.run();
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
