package palyra.sandbox.posix.internal.kernel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * Threads that are restricted to a set of TCP ports and do nothing but start other threads, which
 * inherit that. "All ports but these" takes 65,535 rules: 50 ms to build and, because the kernel
 * copies them, 20 ms more for each thread that restricts itself. So one thread of each set does it
 * once. It shares nothing but ports with its children: scopes are each call's own. Thread-safe.
 */
public final class PortParents implements AutoCloseable {
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final int KEPT = 4;
    private static final long STACK_BYTES = 256 << 10;

    private final Libc libc;
    private final LandlockRules rules;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Set<Integer>, Parent> parents = // guarded by lock; the least used first
            new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed; // guarded by lock

    /** Creates it. */
    public PortParents(Libc libc, LandlockRules rules) {
        this.libc = libc;
        this.rules = rules;
    }

    /**
     * Starts a thread that may use only these ports.
     *
     * @throws PalyraException TOOL_UNAVAILABLE when the kernel refuses the restriction
     */
    void start(Set<Integer> ports, Thread child) throws InterruptedException {
        while (!parent(ports).start(child)) {
            forget(ports);
        }
    }

    private Parent parent(Set<Integer> ports) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The process launcher is stopping.");
            }
            Parent parent = parents.get(ports);
            if (parent == null) {
                parent = new Parent(rules.ofPorts(ports));
                parents.put(Set.copyOf(ports), parent);
                if (parents.size() > KEPT) {
                    Set<Integer> oldest = parents.keySet().iterator().next();
                    parents.remove(oldest).stop();
                }
            }
            return parent;
        } finally {
            lock.unlock();
        }
    }

    private void forget(Set<Integer> ports) {
        lock.lock();
        try {
            Parent parent = parents.get(ports);
            if (parent != null && !parent.thread.isAlive()) {
                parents.remove(ports);
            }
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
            parents.values().forEach(Parent::stop);
            parents.clear();
        } finally {
            lock.unlock();
        }
    }

    private record Order(Thread child, CountDownLatch done) {}

    private final class Parent implements Runnable {
        private final int ruleset;
        private final LinkedBlockingQueue<Order> orders = new LinkedBlockingQueue<>();
        private final CountDownLatch ready = new CountDownLatch(1);
        private final Thread thread;
        private volatile int errno;
        private volatile boolean stopped;

        Parent(int ruleset) {
            this.ruleset = ruleset;
            thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("palyra-sandbox-ports")
                            .inheritInheritableThreadLocals(false)
                            .stackSize(STACK_BYTES)
                            .unstarted(this);
            thread.setContextClassLoader(null);
            try {
                thread.start();
            } catch (OutOfMemoryError noThread) {
                libc.close(ruleset);
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The system gave no thread for the ports of a sandbox.",
                        noThread);
            }
        }

        @Override
        public void run() {
            try {
                errno = -libc.processControl(NO_NEW_PRIVILEGES, 1);
                if (errno == 0) {
                    errno = -(int) libc.system(LinuxCall.LANDLOCK_RESTRICT_SELF, ruleset, 0);
                }
            } finally {
                libc.close(ruleset);
                ready.countDown();
            }
            while (!stopped && errno == 0) {
                try {
                    Order order = orders.take();
                    serve(order);
                } catch (InterruptedException stop) {
                    stopped = true;
                }
            }
            orders.forEach(order -> order.done().countDown());
        }

        private void serve(Order order) {
            try {
                order.child().start();
            } catch (OutOfMemoryError noThread) {
                return; // whoever waits sees that it was not started
            } finally {
                order.done().countDown();
            }
        }

        /** Returns false when this parent has stopped meanwhile. */
        boolean start(Thread child) throws InterruptedException {
            ready.await();
            if (errno != 0) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "The kernel refused to restrict TCP by Landlock: "
                                + Errno.words(errno)
                                + ".");
            }
            Order order = new Order(child, new CountDownLatch(1));
            orders.add(order);
            while (!order.done().await(50, java.util.concurrent.TimeUnit.MILLISECONDS)) {
                if (!thread.isAlive()) {
                    break;
                }
            }
            if (child.getState() != Thread.State.NEW) {
                return true;
            } else if (thread.isAlive() && !stopped) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The system gave no thread to start a sandbox from.");
            }
            return false;
        }

        void stop() {
            stopped = true;
            thread.interrupt();
        }
    }
}
