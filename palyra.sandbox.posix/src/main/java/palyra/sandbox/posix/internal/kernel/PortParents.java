package palyra.sandbox.posix.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Threads that are restricted to a set of TCP ports and do nothing but start other threads, which
 * inherit that. "All ports but these" takes 65,535 rules: 50 ms to build and, because the kernel
 * copies them, 20 ms more for each thread that restricts itself. So one thread of each set does it
 * once. It shares nothing but ports with its children: scopes are each call's own. Thread-safe.
 */
public final class PortParents implements AutoCloseable {
    private static final int KEPT = 4;

    private final Libc libc;
    private final LandlockRules rules;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<PortParent> parents = new ArrayList<>(); // guarded by lock; the newest last
    private boolean closed; // guarded by lock

    /** Creates it. */
    public PortParents(Libc libc, LandlockRules rules) {
        this.libc = libc;
        this.rules = rules;
    }

    /** What a thread with these ports is wanted for. */
    interface Work extends Runnable {
        /** Says that there will be no thread for it. */
        void refuse();
    }

    /**
     * Has work done by a thread that may use only these ports and does nothing else.
     *
     * @return the parent of that thread, to be asked for a {@link PortParent#refill} once the work
     *     does not depend on every microsecond any more
     * @throws PalyraException TOOL_UNAVAILABLE when the kernel refuses the restriction
     */
    PortParent start(Set<Integer> ports, Work work) {
        while (true) {
            PortParent parent = parent(ports);
            if (parent.submit(work)) {
                return parent;
            }
            forget(parent);
        }
    }

    private PortParent parent(Set<Integer> ports) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The process launcher is stopping.");
            }
            PortParent parent = find(ports);
            if (parent == null) {
                parent = new PortParent(libc, Set.copyOf(ports), rules.ofPorts(ports));
                if (parents.size() == KEPT) {
                    parents.remove(0).stop();
                }
            } else {
                parents.remove(parent);
            }
            parents.add(parent);
            return parent;
        } finally {
            lock.unlock();
        }
    }

    /** To compare sets costs a millisecond when they are large; mostly it is the very same one. */
    private PortParent find(Set<Integer> ports) {
        for (PortParent each : parents) {
            if (each.ports() == ports) {
                return each;
            }
        }
        for (PortParent each : parents) {
            if (each.ports().equals(ports)) {
                return each;
            }
        }
        return null;
    }

    private void forget(PortParent stopped) {
        lock.lock();
        try {
            parents.remove(stopped);
        } finally {
            lock.unlock();
        }
    }

    /** Ends its threads; what they started lives on. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            parents.forEach(PortParent::stop);
            parents.clear();
        } finally {
            lock.unlock();
        }
    }
}
