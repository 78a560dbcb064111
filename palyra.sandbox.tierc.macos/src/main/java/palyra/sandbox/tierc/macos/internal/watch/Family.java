package palyra.sandbox.tierc.macos.internal.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The processes of one command: its process group, and each process that was a descendant at the
 * time of a scan, also with a session of its own and after its parent has ended. A process that
 * starts and leaves between two scans is missed; macOS offers no means against that.
 *
 * <p>A member is recorded with its start time, so a process that gets its id later is not a member.
 * Thread-safe.
 */
public final class Family {
    private static final int MOST_MEMBERS = 4_096;
    private static final long KILL_MILLIS = 1_000;
    private static final long KILL_PAUSE_MILLIS = 20;

    private final int root;
    private final ProcessTable table;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, Long> members = new HashMap<>(); // guarded by lock; pid to start

    /**
     * Result of one scan.
     *
     * @param rootSeen whether the first process was there
     * @param processes number of processes
     * @param memoryBytes memory of all together
     * @param cpuNanos processor time of all together
     */
    public record Sight(boolean rootSeen, int processes, long memoryBytes, long cpuNanos) {}

    /** Creates the family of a process that leads a group of its own. */
    public Family(int root, ProcessTable table) {
        this.root = root;
        this.table = table;
    }

    /** Scans once. */
    public Sight look() {
        lock.lock();
        try {
            Deque<Integer> open = new ArrayDeque<>(members.keySet());
            open.add(root);
            open.addAll(table.group(root));
            Set<Integer> seen = new HashSet<>();
            long memory = 0;
            long cpu = 0;
            while (!open.isEmpty() && members.size() < MOST_MEMBERS) {
                int pid = open.poll();
                if (!seen.add(pid)) {
                    continue;
                }
                Optional<ProcessTable.Use> use = member(pid);
                if (use.isPresent()) {
                    memory += use.get().footprintBytes();
                    cpu += use.get().cpuNanos();
                    open.addAll(table.children(pid));
                }
            }
            // more than can be scanned is more than any limit
            int processes = open.isEmpty() ? members.size() : Integer.MAX_VALUE;
            return new Sight(members.containsKey(root), processes, memory, cpu);
        } finally {
            lock.unlock();
        }
    }

    private Optional<ProcessTable.Use> member(int pid) {
        Optional<ProcessTable.Use> use = table.use(pid);
        Long known = members.get(pid);
        if (use.isEmpty() || known != null && known != use.get().startedAt()) {
            members.remove(pid);
            return Optional.empty();
        }
        members.put(pid, use.get().startedAt());
        return use;
    }

    /**
     * Kills every member until none is seen, for at most a second.
     *
     * @return number of members that are still there
     */
    public int kill() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(KILL_MILLIS);
        int left = killOnce();
        while (left > 0 && System.nanoTime() < deadline) {
            try {
                Thread.sleep(KILL_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return killOnce();
            }
            left = killOnce();
        }
        return left;
    }

    private int killOnce() {
        lock.lock();
        try {
            look();
            members.keySet().forEach(table::kill);
            return members.size();
        } finally {
            lock.unlock();
        }
    }
}
