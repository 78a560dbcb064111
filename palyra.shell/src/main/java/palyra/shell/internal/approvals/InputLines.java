package palyra.shell.internal.approvals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import palyra.shell.internal.host.InterruptibleInput;

/**
 * Reads what a person types, line by line, on a thread of its own, until it is closed or the input
 * ends. Thread-safe.
 */
final class InputLines implements AutoCloseable {
    private static final int MOST_BYTES = 4_096;
    private static final long LOOK_MILLIS = 50;
    private static final long END_MILLIS = 1_000;

    private final InputStream in;
    private final Consumer<String> lines;
    private final Runnable atEnd;
    private final Thread thread;
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
     * @param lines gets each line without its end
     * @param atEnd called once when the input has ended; not when it was closed
     */
    static InputLines of(InputStream in, Consumer<String> lines, Runnable atEnd) {
        InputLines reader = new InputLines(in, lines, atEnd);
        reader.thread.start();
        return reader;
    }

    private void read() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            for (int b = next(); b >= 0; b = next()) {
                if (b == '\n' || b == '\r') {
                    lines.accept(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                } else if (line.size() < MOST_BYTES) {
                    line.write(b);
                }
            }
        } catch (IOException e) {
            // The terminal is gone, which is the end of what it says.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!closed) {
            atEnd.run();
        }
    }

    private int next() throws IOException, InterruptedException {
        while (!closed && !(in instanceof InterruptibleInput) && in.available() == 0) {
            Thread.sleep(LOOK_MILLIS);
        }
        return closed ? -1 : in.read();
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
