package palyra.sandbox.posix.internal.kernel;

import java.util.concurrent.locks.ReentrantLock;
import palyra.sandbox.posix.internal.supervise.Listener;

/**
 * Knows whether any process of a call is left, by the listener of a filter that every process of
 * the call has; no process can remove a filter. The kernel hangs it up when the last one has ended,
 * independent of session, parent and environment; see {@code seccomp_unotify(2)}. Thread-safe.
 *
 * <p>On newer kernels a process that has ended but is not yet reaped does not count. On older ones
 * it does, so a call whose first process is not yet reaped never seems empty. {@link Proof} records
 * which kind of kernel this is.
 */
public final class RemainingProcesses implements AutoCloseable {
    private final Proof proof;
    private final ReentrantLock lock = new ReentrantLock();
    private Listener listener; // guarded by lock; null once it is closed
    private boolean empty; // guarded by lock

    /**
     * Whether the kernel has once reported an empty call while its first process was not yet
     * reaped. Until then a "not empty" proves nothing. Thread-safe.
     */
    public static final class Proof {
        private volatile boolean given;
    }

    /** Takes over a hold on a listener. */
    RemainingProcesses(Proof proof, Listener listener) {
        this.proof = proof;
        this.listener = listener;
    }

    /** Returns whether a "no" of {@link #empty} is reliable. */
    public boolean complete() {
        return proof.given;
    }

    /**
     * Returns whether no process is left; waits for it up to {@code millis}. False once this is
     * closed. Call it before the first process is reaped.
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
