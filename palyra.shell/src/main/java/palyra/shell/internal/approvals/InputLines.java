package palyra.shell.internal.approvals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import palyra.shell.internal.host.AwaitableInput;

/**
 * Reads typed lines on its own thread, until it is closed or the input ends. Earlier input can be
 * dropped. Thread-safe.
 */
final class InputLines implements AutoCloseable {
    private static final int MOST_BYTES = 4_096;
    private static final long LOOK_MILLIS = 50;
    private static final long END_MILLIS = 1_000;

    private final InputStream in;
    private final Consumer<String> lines;
    private final Runnable atEnd;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock(); // held while something is taken
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(); // guarded by lock
    private boolean stale; // guarded by lock: the line began before what was to be forgotten
    private int last; // guarded by lock: the last byte that came
    private volatile boolean closed;

    private InputLines(InputStream in, Consumer<String> lines, Runnable atEnd) {
        this.in = in;
        this.lines = lines;
        this.atEnd = atEnd;
        this.thread = new Thread(this::read, "palyra-approval-input");
        thread.setDaemon(true);
    }

    /**
     * Begins to read.
     *
     * @param lines gets each line without its end, which is a line feed, a carriage return or both;
     *     it is called while nothing can be forgotten, and must return at once
     * @param atEnd called once when the input has ended; not when it was closed
     */
    static InputLines of(InputStream in, Consumer<String> lines, Runnable atEnd) {
        InputLines reader = new InputLines(in, lines, atEnd);
        reader.thread.start();
        return reader;
    }

    private void read() {
        try {
            while (await()) {
                takeOne();
            }
        } catch (IOException e) {
            // A closed terminal counts as the end of input.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!closed) {
            atEnd.run();
        }
    }

    private boolean await() throws IOException, InterruptedException {
        if (in instanceof AwaitableInput awaitable) {
            return !closed && awaitable.awaitInput();
        }
        while (!closed && in.available() == 0) {
            Thread.sleep(LOOK_MILLIS);
        }
        return !closed;
    }

    private void takeOne() throws IOException {
        lock.lock();
        try {
            if (in.available() > 0 && !closed) {
                take(in.read());
            }
        } finally {
            lock.unlock();
        }
    }

    private void take(int b) {
        boolean secondOfTwo = b == '\n' && last == '\r';
        last = b;
        if (b == '\n' || b == '\r') {
            if (!stale && !secondOfTwo) {
                lines.accept(line.toString(StandardCharsets.UTF_8));
            }
            stale = false;
            line.reset();
        } else if (!stale && line.size() < MOST_BYTES) {
            line.write(b);
        }
    }

    /**
     * Drops all input so far, read or not, and the rest of a line that has begun. Lines already
     * passed on are not affected.
     */
    void forget() {
        lock.lock();
        try {
            stale |= line.size() > 0;
            line.reset();
            while (in.available() > 0) {
                last = in.read();
                stale = last != '\n' && last != '\r';
            }
        } catch (IOException e) {
            // Its end is noticed where it is waited for.
        } finally {
            lock.unlock();
        }
    }

    /** Stops reading and waits for the thread, within bounds. Idempotent. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
