package palyra.sandbox.posix.internal.kernel;

import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.posix.internal.supervise.Listener;

/**
 * Knows whether any process of a call is left: the listener of a filter that every process of the
 * call has, because nobody can take a filter off. The kernel hangs it up when the last one has
 * ended, whatever session, parent or environment it had; see {@code seccomp_unotify(2)}.
 * Thread-safe.
 *
 * <p>On newer kernels a process that has ended but was not taken away does not count; on older ones
 * it does, so that there a call whose first process is kept that way never seems empty. Which it is
 * shows by itself: see {@link Proof}.
 */
public final class Census implements AutoCloseable {
    private final Proof proof;
    private final ReentrantLock lock = new ReentrantLock();
    private Listener listener; // guarded by lock; null once it is closed
    private boolean empty; // guarded by lock

    /**
     * Whether the kernel was seen to say that nobody is left while the first process of a call was
     * not yet taken away. Until then nothing follows from its silence. Thread-safe.
     */
    public static final class Proof {
        private volatile boolean given;
    }

    /** Takes over a hold on a listener. */
    Census(Proof proof, Listener listener) {
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
        try {
            if (!empty && listener != null) {
                int patience = (int) Math.max(0, millis);
                empty = listener.await(false, patience) == Listener.State.EMPTY;
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
            if (listener != null) {
                listener.release();
                listener = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
