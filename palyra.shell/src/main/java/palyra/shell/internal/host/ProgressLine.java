package palyra.shell.internal.host;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last line of a terminal while a command writes nothing: what it does, and for how long. The
 * line appears after a second of silence, where the command's output has ended a line, and is gone
 * before the next output. Thread-safe.
 */
final class ProgressLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressLine.class);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVERY_MILLIS = 250;
    private static final byte[] ERASE = "\r\033[K".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream terminal; // also the lock
    private final Style style;
    private final IntSupplier columns;
    private final long started = System.nanoTime();
    private final Thread ticker;
    private String doing; // guarded by terminal; null while a silent command waits for a person
    private long lastOutput = started; // guarded by terminal
    private boolean lineEnded = true; // guarded by terminal
    private boolean shown; // guarded by terminal
    private boolean closed; // guarded by terminal

    /**
     * Creates and starts it.
     *
     * @param terminal standard error, which is a terminal
     * @param command name of the command, shown until it says more
     * @param columns width of the terminal
     */
    ProgressLine(OutputStream terminal, String command, Style style, IntSupplier columns) {
        this.terminal = terminal;
        this.style = style;
        this.columns = columns;
        this.doing = command;
        this.ticker = new Thread(this::tick, "palyra-progress");
        ticker.setDaemon(true);
        ticker.start();
    }

    /** Returns a stream that passes to {@code target} after the line was erased. */
    OutputStream before(OutputStream target) {
        return new FilterOutputStream(target) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                synchronized (terminal) {
                    erase();
                    out.write(bytes, offset, length);
                    if (length > 0) {
                        lineEnded = bytes[offset + length - 1] == '\n';
                        lastOutput = System.nanoTime();
                    }
                }
            }
        };
    }

    /** Says what the command does now. */
    void says(String text) {
        synchronized (terminal) {
            doing = text;
        }
    }

    /** The command reads input: a person is not to be disturbed until it says what it does. */
    void readsInput() {
        synchronized (terminal) {
            doing = null;
        }
    }

    private void tick() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
                synchronized (terminal) {
                    if (closed) {
                        return;
                    }
                    show(System.nanoTime());
                }
            }
        } catch (InterruptedException e) {
            LOG.trace("The command is over", e);
        } catch (IOException e) {
            LOG.debug("The terminal is gone", e);
        }
    }

    private void show(long now) throws IOException {
        if (doing == null || !lineEnded || now - lastOutput < QUIET_NANOS) {
            erase();
            return;
        }
        String time = " … " + TimeUnit.NANOSECONDS.toSeconds(now - started) + " s";
        int room = columns.getAsInt() - 1 - time.length();
        if (room < 1) {
            return;
        }
        String text = DisplayWidth.cut(SafeText.line(doing), room) + time;
        terminal.write(ERASE);
        terminal.write(style.dim(text).getBytes(StandardCharsets.UTF_8));
        terminal.flush();
        shown = true;
    }

    private void erase() throws IOException {
        if (shown) {
            shown = false;
            terminal.write(ERASE);
            terminal.flush();
        }
    }

    /** Ends it; the line is erased. */
    @Override
    public void close() {
        ticker.interrupt();
        synchronized (terminal) {
            closed = true;
            try {
                erase();
            } catch (IOException e) {
                LOG.debug("The terminal is gone", e);
            }
        }
    }
}
