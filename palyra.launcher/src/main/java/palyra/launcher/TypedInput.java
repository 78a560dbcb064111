package palyra.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Standard input, shared by the prompt and the running command, one reader at a time. A read of
 * standard input cannot be interrupted, so one thread reads for both, at most one chunk ahead.
 * Ctrl-D is read as one end, after which more input may follow; at the real end of the source every
 * read returns the end.
 */
final class TypedInput implements AutoCloseable {
    /** The end of the input. */
    static final int END = -1;

    /** Nothing came in time. */
    static final int EXPIRED = -2;

    private static final int PIECE_BYTES = 8 * 1024;

    private final InputStream in;
    private final Thread reader = new Thread(this::readAll, "palyra-prompt-reader");
    private byte[] piece; // guarded by this; null while nothing waits, empty for an end
    private int at; // guarded by this

    TypedInput(InputStream in) {
        this.in = in;
        // A daemon, so that it does not keep the process alive.
        reader.setDaemon(true);
    }

    void start() {
        reader.start();
    }

    private void readAll() {
        byte[] bytes = new byte[PIECE_BYTES];
        try {
            for (int count = read(bytes); ; count = read(bytes)) {
                offer(Arrays.copyOf(bytes, Math.max(count, 0)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A closed terminal counts as the end of input. */
    private int read(byte[] bytes) {
        try {
            return in.read(bytes);
        } catch (IOException e) {
            return END;
        }
    }

    private synchronized void offer(byte[] next) throws InterruptedException {
        while (piece != null) {
            wait();
        }
        piece = next;
        at = 0;
        notifyAll();
    }

    /**
     * The next byte, {@link #END} or {@link #EXPIRED}.
     *
     * @param timeoutMillis 0 waits without limit
     * @param peek leaves it to be read again
     */
    synchronized int read(long timeoutMillis, boolean peek) throws InterruptedException {
        if (!await(timeoutMillis)) {
            return EXPIRED;
        }
        if (piece.length == 0) {
            used(peek ? 0 : 1);
            return END;
        }
        int next = piece[at] & 0xff;
        used(peek ? 0 : 1);
        return next;
    }

    /** All that is there, empty for the end; null when nothing came in time. */
    synchronized byte[] take(long timeoutMillis) throws InterruptedException {
        if (!await(timeoutMillis)) {
            return null;
        }
        byte[] rest = Arrays.copyOfRange(piece, at, piece.length);
        used(Math.max(1, rest.length));
        return rest;
    }

    private void used(int count) {
        at += count;
        if (at >= Math.max(1, piece.length)) {
            piece = null;
            notifyAll();
        }
    }

    private boolean await(long timeoutMillis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (piece == null) {
            long left = end - System.nanoTime();
            if (timeoutMillis == 0) {
                wait();
            } else if (left <= 0) {
                return false;
            } else {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        return true;
    }

    @Override
    public void close() {
        reader.interrupt();
    }
}
