package palyra.connectors.discord.internal;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import palyra.api.core.egress.WebSocketConnection;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;

/**
 * Reads connections ahead of the thread that handles their events, so that what cannot wait is seen
 * at once. What is read waits in order, up to {@link #MOST_BYTES}: then the connection waits, and
 * Discord with it. What a dropped connection brought is dropped with it: nothing of it was handled,
 * so Discord tells it again. Thread-safe.
 *
 * @param <T> what comes of a message of a connection
 */
final class ReadAhead<T> implements LoopBody {
    /** Characters of payloads that wait; a larger one waits alone. */
    static final int MOST_BYTES = 4 << 20;

    /** Bytes that one counts for besides, as it is more than its text. */
    private static final int OVERHEAD = 1_024;

    /** Turns messages of one connection into what is handled. Only for the reader's thread. */
    interface Reader<T> extends AutoCloseable {
        /** Returns what waits; null when nothing does. */
        Read<T> read(WebSocketConnection.Message message) throws IOException;

        /** Returns what says that the connection is over. */
        T broken(String reason);

        @Override
        void close();
    }

    /**
     * Something that waits.
     *
     * @param size characters of its payload
     * @param last whether the connection brings nothing after it
     */
    record Read<T>(T what, int size, boolean last) {
        private long cost() {
            return size + OVERHEAD;
        }
    }

    /** One connection, which is no other, whatever it has. */
    private static final class Source<T> {
        private final WebSocketConnection socket;
        private final Reader<T> reader;

        Source(WebSocketConnection socket, Reader<T> reader) {
            this.socket = socket;
            this.reader = reader;
        }
    }

    private final Deque<Read<T>> waiting = new ArrayDeque<>(); // guarded by this, as all
    private Source<T> source; // null without a connection
    private boolean isFresh; // whether the reader's thread did not see it yet
    private long bytes;
    private long readerSince = Long.MAX_VALUE;
    private long handlerSince = Long.MAX_VALUE;

    static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Begins to read a connection. */
    synchronized void open(WebSocketConnection socket, Reader<T> reader) {
        clear();
        source = new Source<>(socket, reader);
        isFresh = true;
        notifyAll();
    }

    /** Leaves the connection, which the caller closes, and what it brought. */
    synchronized void leave() {
        clear();
    }

    private void clear() {
        if (source != null && isFresh) {
            source.reader.close(); // its thread never had it
        }
        source = null;
        isFresh = false;
        waiting.clear();
        bytes = 0;
        notifyAll();
    }

    /** Waits for what comes next. */
    synchronized T take() throws InterruptedException {
        handlerSince = now();
        try {
            while (waiting.isEmpty()) {
                wait();
            }
            Read<T> next = waiting.poll();
            bytes -= next.cost();
            notifyAll();
            return next.what();
        } finally {
            handlerSince = Long.MAX_VALUE;
        }
    }

    /**
     * Returns since when all that was read is handled and the next message is waited for; {@link
     * Long#MAX_VALUE} while it is not so.
     */
    synchronized long waitingSince() {
        return waiting.isEmpty() ? Math.max(readerSince, handlerSince) : Long.MAX_VALUE;
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        while (!pulse.isStopping()) {
            pulse.idle();
            Source<T> next = next();
            pulse.beat();
            try (Reader<T> reader = next.reader) {
                while (isCurrent(next) && put(next, read(next, reader, pulse), pulse)) {
                    pulse.beat();
                }
            }
        }
    }

    private synchronized Source<T> next() throws InterruptedException {
        while (!isFresh) {
            wait();
        }
        isFresh = false;
        return source;
    }

    private synchronized boolean isCurrent(Source<T> one) {
        return source == one;
    }

    private Read<T> read(Source<T> from, Reader<T> reader, Heartbeat pulse)
            throws InterruptedException {
        try {
            pulse.idle();
            waits(true);
            WebSocketConnection.Message message = from.socket.receive();
            waits(false);
            pulse.beat();
            return reader.read(message);
        } catch (IOException | RuntimeException e) { // the egress service may go meanwhile
            if (pulse.isStopping()) {
                throw new InterruptedException();
            }
            return new Read<>(reader.broken(e.getMessage()), 0, true);
        } finally {
            waits(false);
        }
    }

    private synchronized void waits(boolean is) {
        readerSince = is ? now() : Long.MAX_VALUE;
    }

    /** Returns whether the connection may bring more. */
    private synchronized boolean put(Source<T> from, Read<T> read, Heartbeat pulse)
            throws InterruptedException {
        if (read == null) {
            return true;
        }
        pulse.idle();
        while (source == from && !waiting.isEmpty() && bytes + read.cost() > MOST_BYTES) {
            wait();
        }
        if (source != from) {
            return false;
        }
        waiting.add(read);
        bytes += read.cost();
        notifyAll();
        return !read.last();
    }
}
