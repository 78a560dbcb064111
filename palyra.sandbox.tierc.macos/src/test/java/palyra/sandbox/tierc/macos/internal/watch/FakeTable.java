package palyra.sandbox.tierc.macos.internal.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Processes as a test wants them. */
public final class FakeTable implements ProcessTable {
    /** One process. */
    public record Entry(int parent, int group, long start, long bytes, long nanos) {}

    /** The processes by id. */
    public final Map<Integer, Entry> processes = new ConcurrentHashMap<>();

    /** What was killed. */
    public final List<Integer> killed = new CopyOnWriteArrayList<>();

    /** Whether a signal ends a process. */
    public volatile boolean mortal = true;

    /** Whether anything can be seen. */
    public volatile boolean blind;

    /** Adds a process. */
    public FakeTable add(int pid, int parent, int group, long megabytes, long cpuMillis) {
        processes.put(
                pid, new Entry(parent, group, pid * 10L, megabytes << 20, cpuMillis * 1_000_000));
        return this;
    }

    @Override
    public Optional<Use> use(int pid) {
        Entry entry = blind ? null : processes.get(pid);
        return entry == null
                ? Optional.empty()
                : Optional.of(new Use(entry.start(), entry.bytes(), entry.nanos()));
    }

    @Override
    public List<Integer> group(int groupId) {
        List<Integer> pids = new ArrayList<>();
        processes.forEach(
                (pid, entry) -> {
                    if (entry.group() == groupId) {
                        pids.add(pid);
                    }
                });
        return pids;
    }

    @Override
    public List<Integer> children(int pid) {
        List<Integer> pids = new ArrayList<>();
        processes.forEach(
                (child, entry) -> {
                    if (entry.parent() == pid) {
                        pids.add(child);
                    }
                });
        return pids;
    }

    @Override
    public int count(long uid) {
        return processes.size();
    }

    @Override
    public void kill(int pid) {
        killed.add(pid);
        if (mortal) {
            processes.remove(pid);
        }
    }
}
