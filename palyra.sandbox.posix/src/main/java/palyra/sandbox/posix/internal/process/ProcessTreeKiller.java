package palyra.sandbox.posix.internal.process;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Kills all processes of a call, by the most reliable means first: the first process of its pid
 * namespace, its process group, its cgroup, and processes that a scan of {@code /proc} finds.
 *
 * <p>The outer process of a sandbox is killed last: one that dies before it has set its child to
 * die with it leaves that child running.
 */
final class ProcessTreeKiller {
    private static final long BOUND_NANOS = 1_000_000_000L;
    private static final long NAME_MILLIS = 500;
    private static final long SOON_MILLIS = 1;
    private static final long NAMESPACE_MILLIS = 50;
    private static final long REPORT_NANOS = 500_000_000L;

    private final RunningProcess.Parts parts;
    private final CountDownLatch ended;

    ProcessTreeKiller(RunningProcess.Parts parts, CountDownLatch ended) {
        this.parts = parts;
        this.ended = ended;
    }

    /**
     * Kills. The caller holds the lock; it is released during the wait for the end, because the
     * thread that reports the end needs it.
     *
     * @return how many processes could not be confirmed dead
     */
    int kill(ReentrantLock lock) {
        long deadline = System.nanoTime() + BOUND_NANOS;
        int left = 0;
        if (parts.status() != null) {
            parts.status().kill(ended.getCount() > 0 ? NAME_MILLIS : 0);
        }
        parts.child().killGroup();
        if (parts.group().isPresent()) {
            left += parts.group().get().kill(deadline);
        } else if (!noneRemain()) {
            left += parts.sweep().kill(parts.mark(), parts.child().pid(), evidence(), deadline);
        }
        if (parts.status() != null && !parts.status().gone(millisTo(deadline))) {
            left++;
        }
        lock.unlock();
        try {
            long report = Math.max(deadline, System.nanoTime() + REPORT_NANOS); // on a busy host
            if (!endedBy(report) && left == 0) {
                left++;
            }
        } finally {
            lock.lock();
        }
        return left;
    }

    /**
     * Returns whether no process but the first can be alive, so that no scan is needed: the kernel
     * says so, or the first process of a pid namespace has ended, which it does after all others in
     * it.
     */
    private boolean noneRemain() {
        if (parts.remaining().isPresent()) {
            return parts.remaining().get().empty(SOON_MILLIS);
        }
        return parts.status() != null && parts.status().dead(NAMESPACE_MILLIS);
    }

    private ProcessSweeper.Evidence evidence() {
        return parts.remaining()
                .<ProcessSweeper.Evidence>map(
                        remaining ->
                                new ProcessSweeper.Evidence(remaining.complete(), remaining::empty))
                .orElse(ProcessSweeper.Evidence.NONE);
    }

    private static long millisTo(long deadline) {
        return Math.max(0, (deadline - System.nanoTime()) / 1_000_000);
    }

    private boolean endedBy(long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
