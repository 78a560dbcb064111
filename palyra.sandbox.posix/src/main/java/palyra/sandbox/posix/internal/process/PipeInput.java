package palyra.sandbox.posix.internal.process;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Reads a pipe. A waiting reader gets the end of the stream when the stream is closed or the
 * process is abandoned, although a process still holds the other end; a {@code FileInputStream}
 * would go on waiting. Reading is for one thread, closing for any.
 */
public final class PipeInput extends InputStream {
    private static final int BUFFER = 64 << 10;
    private static final short READABLE = 1;

    private final Libc libc;
    private final WakeupPipe wakeup;
    private final int descriptor;
    private final ReentrantLock lock = new ReentrantLock();
    private Arena arena; // guarded by lock; made with the first read
    private Pointer buffer; // guarded by lock
    private boolean closed; // guarded by lock
    private volatile boolean closing;

    /** Takes over a descriptor. */
    public PipeInput(Libc libc, WakeupPipe wakeup, int descriptor) {
        this.libc = libc;
        this.wakeup = wakeup;
        this.descriptor = descriptor;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        lock.lock();
        try {
            return closed ? -1 : readOpen(into, offset, length);
        } finally {
            lock.unlock();
        }
    }

    private int readOpen(byte[] into, int offset, int length) throws IOException {
        if (buffer == null) {
            arena = new Arena();
            buffer = arena.zeros(BUFFER);
        }
        while (wakeup.await(descriptor, READABLE, () -> closing)) {
            long count = libc.read(descriptor, buffer, Math.min(length, BUFFER));
            if (count > 0) {
                buffer.read(0, into, offset, (int) count);
                return (int) count;
            } else if (count == 0) {
                return -1;
            } else if (count != -Errno.EINTR) {
                throw new IOException(
                        "Output of a process could not be read: " + Errno.words((int) -count));
            }
        }
        return -1;
    }

    /**
     * Closes the descriptor. A waiting reader gets the end of the stream within a fraction of a
     * second.
     */
    @Override
    public void close() {
        closing = true;
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                libc.close(descriptor);
                if (arena != null) {
                    arena.close();
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
