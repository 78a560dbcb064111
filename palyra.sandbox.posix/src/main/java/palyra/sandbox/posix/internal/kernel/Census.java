package palyra.sandbox.posix.internal.kernel;

import com.sun.jna.Pointer;
import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Knows whether any process of a call is left: the listener of a filter that lets everything pass
 * and that every process of the call has, because nobody can take a filter off. The kernel hangs it
 * up when the last one has ended, whatever session, parent or environment it had; see {@code
 * seccomp_unotify(2)}. Thread-safe.
 *
 * <p>On newer kernels a process that has ended but was not taken away does not count; on older ones
 * it does, so that there a call whose first process is kept that way never seems empty. Which it is
 * shows by itself: see {@link Proof}.
 */
public final class Census implements AutoCloseable {
    private static final int HUNG_UP = 0x10;

    private final Libc libc;
    private final Proof proof;
    private final ReentrantLock lock = new ReentrantLock();
    private int listener; // guarded by lock; -1 once it is closed
    private boolean empty; // guarded by lock

    /**
     * Whether the kernel was seen to say that nobody is left while the first process of a call was
     * not yet taken away. Until then nothing follows from its silence. Thread-safe.
     */
    public static final class Proof {
        private volatile boolean given;
    }

    /** Takes over a listener. */
    Census(Libc libc, Proof proof, int listener) {
        this.libc = libc;
        this.proof = proof;
        this.listener = listener;
    }

    /** Returns whether {@link #empty} can be believed when it says no. */
    public boolean complete() {
        return proof.given;
    }

    /**
     * Returns whether no process is left; waits for it. False when nobody knows any more. To be
     * asked before the first process is taken away.
     */
    public boolean empty(long millis) {
        lock.lock();
        try (Arena arena = new Arena()) {
            if (!empty && listener >= 0) {
                Pointer entry = arena.zeros(8);
                entry.setInt(0, listener);
                libc.poll(entry, 1, (int) Math.max(0, millis));
                empty = (entry.getShort(6) & HUNG_UP) != 0;
                proof.given |= empty;
            }
            return empty;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (listener >= 0) {
                libc.close(listener);
                listener = -1;
            }
        } finally {
            lock.unlock();
        }
    }
}
