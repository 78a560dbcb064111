package palyra.sandbox.posix.internal.process;

import com.sun.jna.Pointer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Wakes all threads that wait for descriptors of one process, once: a pipe that each poll(2)
 * watches too. Thread-safe.
 */
public final class WakeupPipe {
    private static final int READABLE = 1;
    private static final int ASK_MILLIS = 200;

    private final Libc libc;
    private final Descriptors.Pipe pipe;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean raised; // guarded by lock
    private boolean closed; // guarded by lock

    /** Creates it. */
    public WakeupPipe(Libc libc, Descriptors descriptors) {
        this.libc = libc;
        pipe = descriptors.pipe();
    }

    /**
     * Waits until a descriptor is ready, its other end is closed, {@link #raise} was called, or
     * {@code abandoned} returns true; that is checked a few times each second.
     *
     * @return whether the descriptor ended the wait
     */
    boolean await(int descriptor, short events, BooleanSupplier abandoned) {
        try (Arena arena = new Arena()) {
            Pointer entries = arena.zeros(16);
            entries.setInt(0, descriptor);
            entries.setShort(4, events);
            entries.setInt(8, pipe.reading());
            entries.setShort(12, (short) READABLE);
            int ready;
            do {
                ready = libc.poll(entries, 2, ASK_MILLIS);
            } while ((ready == 0 || ready == -Errno.EINTR) && !abandoned.getAsBoolean());
            return ready > 0 && entries.getShort(14) == 0;
        }
    }

    /** Wakes all threads that wait, now and later. */
    void raise() {
        lock.lock();
        try {
            if (!raised) {
                raised = true;
                libc.close(pipe.writing());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the pipe; only after {@link #raise} and when no thread waits any more. */
    void close() {
        raise();
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                libc.close(pipe.reading());
            }
        } finally {
            lock.unlock();
        }
    }
}
