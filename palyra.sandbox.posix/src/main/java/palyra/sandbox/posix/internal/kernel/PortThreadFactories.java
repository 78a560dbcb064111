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
public final class PortThreadFactories implements AutoCloseable {
    private static final int KEPT = 4;

    private final Libc libc;
    private final LandlockRules rules;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<PortThreadFactory> factories =
            new ArrayList<>(); // guarded by lock; the newest last
    private boolean closed; // guarded by lock

    /** Creates it. */
    public PortThreadFactories(Libc libc, LandlockRules rules) {
        this.libc = libc;
        this.rules = rules;
    }

    /** Work of a thread with these ports. */
    interface Work extends Runnable {
        /** Called when no thread can be started for it. */
        void refuse();
    }

    /**
     * Runs work on a new thread that may use only these ports.
     *
     * @param belowFiles whether the work restricts itself to files on top of that
     * @return the factory of that thread; call its {@link PortThreadFactory#refill} once the work
     *     is not urgent any more
     * @throws PalyraException TOOL_UNAVAILABLE when the kernel refuses the restriction
     */
    PortThreadFactory start(Set<Integer> ports, boolean belowFiles, Work work) {
        while (true) {
            PortThreadFactory factory = factory(ports, belowFiles);
            if (factory.submit(work)) {
                return factory;
            }
            remove(factory);
        }
    }

    private PortThreadFactory factory(Set<Integer> ports, boolean belowFiles) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The process launcher is stopping.");
            }
            PortThreadFactory factory = find(ports, belowFiles);
            if (factory == null) {
                int ruleset = rules.ofPorts(ports, belowFiles);
                factory = new PortThreadFactory(libc, Set.copyOf(ports), belowFiles, ruleset);
                if (factories.size() == KEPT) {
                    factories.remove(0).stop();
                }
            } else {
                factories.remove(factory);
            }
            factories.add(factory);
            return factory;
        } finally {
            lock.unlock();
        }
    }

    /** Comparing large sets takes a millisecond; mostly it is the same object. */
    private PortThreadFactory find(Set<Integer> ports, boolean belowFiles) {
        for (PortThreadFactory each : factories) {
            if (each.belowFiles() == belowFiles && each.ports() == ports) {
                return each;
            }
        }
        for (PortThreadFactory each : factories) {
            if (each.belowFiles() == belowFiles && each.ports().equals(ports)) {
                return each;
            }
        }
        return null;
    }

    private void remove(PortThreadFactory stopped) {
        lock.lock();
        try {
            factories.remove(stopped);
        } finally {
            lock.unlock();
        }
    }

    /** Ends its threads; processes that they started continue. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            factories.forEach(PortThreadFactory::stop);
            factories.clear();
        } finally {
            lock.unlock();
        }
    }
}
