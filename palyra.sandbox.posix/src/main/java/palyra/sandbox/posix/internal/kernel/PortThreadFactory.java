package palyra.sandbox.posix.internal.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * A thread that is restricted to some TCP ports and starts others, which inherit that. It keeps one
 * ready, because starting a thread takes longer than waking one. The ready one has no other
 * restriction; each thread runs one work. Thread-safe.
 */
final class PortThreadFactory implements Runnable {
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final long STACK_BYTES = 256 << 10;

    private final Libc libc;
    private final Set<Integer> ports;
    private final boolean belowFiles;
    private final int ruleset;
    private final CountDownLatch restricted = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<PortThreadFactories.Work> waiting = new ArrayDeque<>(); // guarded by lock
    private Spare spare; // guarded by lock; null when none is ready
    private boolean wanted = true; // guarded by lock; whether one should be made ready
    private boolean stopped; // guarded by lock
    private volatile int errno;

    /** Starts it and takes over the descriptor of the ruleset. */
    PortThreadFactory(Libc libc, Set<Integer> ports, boolean belowFiles, int ruleset) {
        this.libc = libc;
        this.ports = ports;
        this.belowFiles = belowFiles;
        this.ruleset = ruleset;
        try {
            thread("palyra-sandbox-ports", this).start();
        } catch (OutOfMemoryError noThread) {
            libc.close(ruleset);
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The system gave no thread for the ports of a sandbox.",
                    noThread);
        }
    }

    /** Returns a thread of a sandbox, not yet started. */
    static Thread thread(String name, Runnable work) {
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .inheritInheritableThreadLocals(false)
                        .stackSize(STACK_BYTES)
                        .unstarted(work);
        thread.setContextClassLoader(null);
        return thread;
    }

    Set<Integer> ports() {
        return ports;
    }

    /** Returns whether its threads restrict themselves to files on top of that. */
    boolean belowFiles() {
        return belowFiles;
    }

    /** A thread that waits for one work. */
    private static final class Spare implements Runnable {
        private final ArrayBlockingQueue<PortThreadFactories.Work> slot =
                new ArrayBlockingQueue<>(1);
        private final Thread thread = thread("palyra-sandbox-spare", this);

        @Override
        public void run() {
            PortThreadFactories.Work work;
            try {
                work = slot.take();
            } catch (InterruptedException notNeeded) {
                return;
            }
            work.run();
        }
    }

    @Override
    public void run() {
        try {
            restrict();
        } finally {
            libc.close(ruleset);
            restricted.countDown();
        }
        while (true) {
            PortThreadFactories.Work work;
            lock.lock();
            try {
                while (waiting.isEmpty() && !stopped && !(wanted && spare == null)) {
                    changed.awaitUninterruptibly();
                }
                if (waiting.isEmpty() && stopped) {
                    return;
                }
                work = waiting.poll();
                wanted &= work != null; // a spare is tried to make once
            } finally {
                lock.unlock();
            }
            make(work);
        }
    }

    private void restrict() {
        int outcome = -1;
        try {
            outcome = -libc.processControl(NO_NEW_PRIVILEGES, 1);
            if (outcome == 0) {
                outcome = -(int) libc.system(LinuxCall.LANDLOCK_RESTRICT_SELF, ruleset, 0);
            }
        } finally {
            errno = outcome;
            if (outcome != 0) {
                stop();
            }
        }
    }

    /** Starts a thread for a work; null starts a spare thread. */
    private void make(PortThreadFactories.Work work) {
        try {
            if (work != null) {
                thread("palyra-sandbox-start", work).start();
                return;
            }
            Spare made = new Spare();
            made.thread.start();
            lock.lock();
            try {
                if (stopped) {
                    made.thread.interrupt();
                } else {
                    spare = made;
                }
            } finally {
                lock.unlock();
            }
        } catch (OutOfMemoryError noThread) {
            if (work != null) {
                work.refuse();
            }
        }
    }

    /**
     * Passes work to the ready thread, or starts one.
     *
     * @return false when this has stopped meanwhile
     * @throws PalyraException TOOL_UNAVAILABLE when the kernel refused the restriction
     */
    boolean submit(PortThreadFactories.Work work) {
        awaitRestriction();
        if (errno != 0) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The kernel refused to restrict TCP by Landlock: " + Errno.words(errno) + ".");
        }
        lock.lock();
        try {
            if (stopped) {
                return false;
            }
            if (spare != null) {
                spare.slot.add(work);
                spare = null;
            } else {
                waiting.add(work);
                changed.signal();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void awaitRestriction() {
        boolean interrupted = false;
        while (true) {
            try {
                restricted.await();
                break;
            } catch (InterruptedException later) {
                interrupted = true; // some milliseconds
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes sure that a thread will be ready for the next work. */
    void refill() {
        lock.lock();
        try {
            if (spare == null) {
                wanted = true;
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends it and the ready thread, once those that wait for a thread have theirs. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            if (spare != null) {
                spare.thread.interrupt();
                spare = null;
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
