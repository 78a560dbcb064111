package palyra.shell.internal.socket;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.socket.Frame;
import palyra.shared.socket.FrameChannel;

/**
 * Queue of frames to the client. A command's thread never writes to the socket itself, because an
 * interrupt would close it. {@link #put} waits for room, so a client that does not read blocks its
 * own command only.
 */
final class Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final int LIMIT_BYTES = 256 * 1024;

    private final FrameChannel channel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Frame> frames = new ArrayDeque<>(); // guarded by lock
    private int held; // guarded by lock
    private boolean finished; // guarded by lock: no further frame is taken
    private boolean done; // guarded by lock: the writer has ended

    Outbox(FrameChannel channel) {
        this.channel = channel;
    }

    /** Starts the writer; it closes the channel after the last frame. */
    void start(String threadName) {
        Thread.ofVirtual().name(threadName).start(this::writeAll);
    }

    /**
     * Takes a frame, waiting for room.
     *
     * @throws IOException when the client is gone or the connection has ended
     */
    void put(Frame frame) throws IOException {
        lock.lock();
        try {
            while (held > LIMIT_BYTES && !finished && !done) {
                changed.await();
            }
            if (finished || done) {
                throw new IOException("the client is gone");
            }
            frames.add(frame);
            held += frame.payload().length;
            changed.signalAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("waiting for the reader of the output was cut short");
        } finally {
            lock.unlock();
        }
    }

    /** Takes the last frame, at once; a second one is dropped. */
    void finish(Frame last) {
        lock.lock();
        try {
            if (!finished) {
                finished = true;
                frames.add(last);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything was written or the client is gone, at most {@code millis}. */
    boolean awaitDone(long millis) {
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lock();
        try {
            while (!done && left > 0) {
                left = changed.awaitNanos(left);
            }
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void writeAll() {
        try {
            for (Frame next = take(); next != null; next = take()) {
                channel.write(next);
            }
        } catch (IOException e) {
            LOG.debug("A client left before the end of its output", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    /** Returns the next frame, or null when the last one was written. */
    private Frame take() throws InterruptedException {
        lock.lock();
        try {
            while (frames.isEmpty() && !finished) {
                changed.await();
            }
            Frame next = frames.poll();
            if (next != null) {
                held -= next.payload().length;
                changed.signalAll();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        channel.close();
        lock.lock();
        try {
            done = true;
            frames.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
