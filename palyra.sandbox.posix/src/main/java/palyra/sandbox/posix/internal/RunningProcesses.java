package palyra.sandbox.posix.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.cgroup.Group;
import palyra.sandbox.posix.internal.life.RunningProcess;

/** The processes of a launcher that were not closed yet, and cgroups still busy. Thread-safe. */
final class RunningProcesses implements AutoCloseable {
    private static final long LAST_MILLIS = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<RunningProcess> running = new HashSet<>(); // guarded by lock
    private final List<Group> remains = new ArrayList<>(); // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * Takes a process in.
     *
     * @throws PalyraException TOOL_UNAVAILABLE after {@link #close}
     */
    void add(RunningProcess process) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "The process launcher is stopping; try again in a moment.");
            }
            running.add(process);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a process that was closed. */
    void forget(RunningProcess process) {
        lock.lock();
        try {
            running.remove(process);
        } finally {
            lock.unlock();
        }
    }

    /** Remembers a cgroup that could not be removed yet. */
    void keep(Group busy) {
        lock.lock();
        try {
            remains.add(busy);
        } finally {
            lock.unlock();
        }
    }

    /** Tries again to remove cgroups that were busy, waiting so long for each. */
    void removeRemains(long millis) {
        List<Group> busy;
        lock.lock();
        try {
            if (remains.isEmpty()) {
                return;
            }
            busy = List.copyOf(remains);
            remains.clear();
        } finally {
            lock.unlock();
        }
        busy.stream().filter(group -> !group.remove(millis)).forEach(this::keep);
    }

    /** Returns how many there are. */
    int count() {
        return now().size();
    }

    private List<RunningProcess> now() {
        lock.lock();
        try {
            return List.copyOf(running);
        } finally {
            lock.unlock();
        }
    }

    /** Kills and closes every process. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        now().forEach(RunningProcess::close);
        removeRemains(LAST_MILLIS);
    }
}
