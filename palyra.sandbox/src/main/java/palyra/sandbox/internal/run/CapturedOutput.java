package palyra.sandbox.internal.run;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/** What a command wrote to one stream, as it grows. Thread-safe. */
public final class CapturedOutput {
    private static final int FIRST = 8_192;

    private final ReentrantLock lock = new ReentrantLock();
    private byte[] bytes = new byte[0]; // guarded by lock
    private int size; // guarded by lock
    private boolean truncated; // guarded by lock

    void add(byte[] source, int count) {
        lock.lock();
        try {
            if (size + count > bytes.length) {
                int wanted = Math.max(FIRST, Math.max(size + count, bytes.length * 2));
                bytes = Arrays.copyOf(bytes, wanted);
            }
            System.arraycopy(source, 0, bytes, size, count);
            size += count;
        } finally {
            lock.unlock();
        }
    }

    void cut() {
        lock.lock();
        try {
            truncated = true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what was kept from {@code offset} on; nothing when there is no more. */
    public byte[] from(int offset) {
        lock.lock();
        try {
            return offset >= size ? new byte[0] : Arrays.copyOfRange(bytes, offset, size);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether more was written than was kept. */
    public boolean truncated() {
        lock.lock();
        try {
            return truncated;
        } finally {
            lock.unlock();
        }
    }
}
