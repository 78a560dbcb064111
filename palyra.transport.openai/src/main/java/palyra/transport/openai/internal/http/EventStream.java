package palyra.transport.openai.internal.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Server-sent events to one client: events are put in without blocking and written by a thread of
 * their own, with comments in between when there is nothing to say. Thread-safe.
 */
public final class EventStream {
    /** What may wait to be written before the run's events are held back. */
    static final int MOST_BYTES = 256 << 10;

    private static final byte[] KEEP_ALIVE = ": keep-alive\n\n".getBytes(StandardCharsets.UTF_8);

    private final OpenCall call;
    private final OutputStream out;
    private final long silenceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<byte[]> waiting = new ArrayDeque<>(); // guarded by lock
    private long bytes; // guarded by lock
    private boolean unbounded; // guarded by lock: the end is near
    private boolean closed; // guarded by lock: nothing more comes
    private boolean gone; // guarded by lock: the client does not read any more
    private boolean left; // guarded by lock: and went by itself
    private boolean written; // guarded by lock: everything, to the end

    /**
     * Creates a stream.
     *
     * @param silenceMillis after which a comment is written
     */
    public EventStream(OpenCall call, OutputStream out, long silenceMillis) {
        this.call = call;
        this.out = out;
        this.silenceNanos = TimeUnit.MILLISECONDS.toNanos(silenceMillis);
    }

    /** Puts an event in; never blocks. Nothing happens after the end. */
    public void put(String name, String data) {
        String head = name.isEmpty() ? "" : "event: " + name + "\n";
        byte[] event = (head + "data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            if (!closed && !gone) {
                waiting.add(event);
                bytes += event.length;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is room for more. */
    public void awaitRoom() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (bytes > MOST_BYTES && !unbounded && !closed && !gone) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The call was ended from outside: what is still told is held back no more. */
    public void endWaiting() {
        lock.lock();
        try {
            unbounded = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more comes; what is in is still written. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the client went away by itself, rather than being cut off from here. */
    public boolean hasLeft() {
        lock.lock();
        try {
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether all that was put in was written, to the end. */
    public boolean isWritten() {
        lock.lock();
        try {
            return written;
        } finally {
            lock.unlock();
        }
    }

    /** Writes until the stream is closed or the client is gone. */
    public void write() throws InterruptedException {
        try {
            for (byte[] next = next(); next != null; next = next()) {
                call.writing(true);
                out.write(next);
                out.flush();
                call.writing(false);
            }
        } catch (IOException e) {
            call.writing(false);
            leave(call.end("The client disconnected."));
        }
    }

    private void leave(boolean byItself) {
        lock.lock();
        try {
            gone = true;
            left = byItself;
            waiting.clear();
            bytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what to write next; null at the end. */
    private byte[] next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = silenceNanos;
            while (waiting.isEmpty() && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (waiting.isEmpty()) {
                written = closed;
                return closed ? null : KEEP_ALIVE;
            }
            byte[] next = waiting.remove();
            bytes -= next.length;
            changed.signalAll();
            return next;
        } finally {
            lock.unlock();
        }
    }
}
