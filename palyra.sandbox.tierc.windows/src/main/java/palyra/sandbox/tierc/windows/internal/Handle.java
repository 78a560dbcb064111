package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/**
 * A handle that is closed exactly once: never while a call on another thread uses it, since Windows
 * gives the number of a closed handle to the next object. Thread-safe.
 */
final class Handle implements AutoCloseable {
    private final Kernel32 kernel;
    private final Pointer value;
    private final ReentrantLock lock = new ReentrantLock();
    private int users; // guarded by lock
    private boolean closing; // guarded by lock
    private boolean closed; // guarded by lock

    /** A call with the handle. */
    interface Call<T> {
        T with(Pointer handle) throws IOException;
    }

    Handle(Kernel32 kernel, Pointer value) {
        this.kernel = kernel;
        this.value = value;
    }

    /** Returns the value, for the thread that has just made it. */
    Pointer value() {
        return value;
    }

    /** Makes a call; IOException when it was closed. */
    <T> T use(Call<T> call) throws IOException {
        lock.lock();
        try {
            if (closing) {
                throw new IOException("it is closed");
            }
            users++;
        } finally {
            lock.unlock();
        }
        try {
            return call.with(value);
        } finally {
            leave();
        }
    }

    private void leave() {
        lock.lock();
        try {
            users--;
            closeWhenUnused();
        } finally {
            lock.unlock();
        }
    }

    /** Closes it now, or when the last call that uses it returns. May be called again. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            closeWhenUnused();
        } finally {
            lock.unlock();
        }
    }

    private void closeWhenUnused() {
        if (closing && users == 0 && !closed) {
            closed = true;
            kernel.CloseHandle(value);
        }
    }
}
