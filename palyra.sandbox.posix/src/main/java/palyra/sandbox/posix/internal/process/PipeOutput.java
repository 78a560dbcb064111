package palyra.sandbox.posix.internal.process;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Writes a pipe in chunks that fit once poll(2) says that it is writable, so that a writer never
 * blocks where it cannot be woken. Writing is for one thread, closing for any.
 */
public final class PipeOutput extends OutputStream {
    private static final short WRITABLE = 4;

    private final Libc libc;
    private final WakeupPipe wakeup;
    private final int descriptor;
    private final int chunk;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed; // guarded by lock
    private volatile boolean closing;

    /** Takes over a descriptor. */
    public PipeOutput(Libc libc, WakeupPipe wakeup, int descriptor) {
        this.libc = libc;
        this.wakeup = wakeup;
        this.descriptor = descriptor;
        this.chunk = libc.os().linux() ? 4096 : 512; // PIPE_BUF
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        lock.lock();
        try (Arena arena = new Arena()) {
            if (closed) {
                throw new IOException("The standard input of the process is closed.");
            }
            Pointer buffer = arena.zeros(chunk);
            int done = 0;
            while (done < length) {
                int part = Math.min(length - done, chunk);
                buffer.write(0, from, offset + done, part);
                done += writeSome(buffer, part);
            }
        } finally {
            lock.unlock();
        }
    }

    private int writeSome(Pointer buffer, int length) throws IOException {
        if (!wakeup.await(descriptor, WRITABLE, () -> closing)) {
            throw new IOException(
                    "The process was abandoned during a write to its standard input.");
        }
        long written = libc.write(descriptor, buffer, length);
        if (written == -Errno.EINTR) {
            return 0;
        } else if (written < 0) {
            throw new IOException(
                    "The standard input of the process could not be written: "
                            + Errno.words((int) -written));
        }
        return (int) written;
    }

    /** Ends the input of the process. Waits for a write under way, which a kill or close ends. */
    @Override
    public void close() {
        closing = true;
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                libc.close(descriptor);
            }
        } finally {
            lock.unlock();
        }
    }
}
