package palyra.sandbox.posix.internal.life;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Kills everything of a call, the surest way first: the first process of its pid namespace, its
 * process group, its cgroup, and what a look through all processes finds.
 *
 * <p>The outer process of a sandbox goes last, because one that is killed before it has told its
 * child to die with it leaves that child behind.
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
     * Kills. The lock is held by the caller and is let go while the end is waited for, because the
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
        } else if (!nobodyIsLeft()) {
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
     * Returns whether it is certain that nothing but the first process can be alive, so that nobody
     * needs to be looked for: by the kernel's word, or because the first process of a pid namespace
     * ends after all others in it.
     */
    private boolean nobodyIsLeft() {
        if (parts.census().isPresent()) {
            return parts.census().get().empty(SOON_MILLIS);
        }
        return parts.status() != null && parts.status().dead(NAMESPACE_MILLIS);
    }

    private Sweep.Evidence evidence() {
        return parts.census()
                .<Sweep.Evidence>map(census -> new Sweep.Evidence(census.complete(), census::empty))
                .orElse(Sweep.Evidence.NONE);
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
