package palyra.sandbox.posix.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.cgroup.Cgroup;
import palyra.sandbox.posix.internal.process.RunningProcess;

/** The processes of a launcher that were not closed yet, and cgroups still busy. Thread-safe. */
final class RunningProcesses implements AutoCloseable {
    private static final long LAST_MILLIS = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<RunningProcess> running = new HashSet<>(); // guarded by lock
    private final List<Cgroup> busyCgroups = new ArrayList<>(); // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * Adds a process.
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

    /** Removes a process that was closed. */
    void remove(RunningProcess process) {
        lock.lock();
        try {
            running.remove(process);
        } finally {
            lock.unlock();
        }
    }

    /** Remembers a cgroup that could not be removed yet. */
    void addBusyCgroup(Cgroup busy) {
        lock.lock();
        try {
            busyCgroups.add(busy);
        } finally {
            lock.unlock();
        }
    }

    /** Tries again to remove cgroups that were busy, waiting so long for each. */
    void removeBusyCgroups(long millis) {
        List<Cgroup> busy;
        lock.lock();
        try {
            if (busyCgroups.isEmpty()) {
                return;
            }
            busy = List.copyOf(busyCgroups);
            busyCgroups.clear();
        } finally {
            lock.unlock();
        }
        busy.stream().filter(group -> !group.remove(millis)).forEach(this::addBusyCgroup);
    }

    /** Returns the number of processes. */
    int count() {
        return snapshot().size();
    }

    private List<RunningProcess> snapshot() {
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
        snapshot().forEach(RunningProcess::withdraw);
        removeBusyCgroups(LAST_MILLIS);
    }
}
