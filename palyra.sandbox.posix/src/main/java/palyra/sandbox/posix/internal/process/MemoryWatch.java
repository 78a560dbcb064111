package palyra.sandbox.posix.internal.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the memory of commands where no cgroup counts it, twenty times a second, and on the way
 * their processor time, which is lost when they are killed. Memory is what their processes hold,
 * not what they reserve, of which runtimes such as those of Java, JavaScript and Go take many times
 * more. A command that holds more than it may is ended whole; with the process that holds a sandbox
 * count all commands in it. A process that has executed no program counts from the second look on:
 * until it does, a child made by vfork(2) shows the memory of its parent. One thread for all
 * commands, while there are any; it uses at most a tenth of a processor. Thread-safe.
 */
public final class MemoryWatch {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
    private static final long LOOK_NANOS = 50_000_000;
    private static final int SHARE = 9;

    private final ProcessTable table;
    private final ProcessThreads threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<RunningProcess> watched = new HashSet<>(); // guarded by lock
    private boolean running; // guarded by lock

    /** Marks of processes, which are read once; used by the watching thread only. */
    private Map<Long, Marked> marks = new HashMap<>();

    private record Marked(long started, String text) {}

    /** Creates it; its thread is one of those given. */
    public MemoryWatch(ProcessTable table, ProcessThreads threads) {
        this.table = table;
        this.threads = threads;
    }

    /**
     * Watches a command until it has ended.
     *
     * @throws RejectedExecutionException when the threads are closed
     */
    void watch(RunningProcess process) {
        lock.lock();
        try {
            if (!running) {
                threads.follow("palyra-sandbox-memory", this::untilNone);
                running = true;
            }
            watched.add(process);
        } finally {
            lock.unlock();
        }
    }

    private void untilNone() {
        for (List<RunningProcess> all = living(); !all.isEmpty(); all = living()) {
            long began = System.nanoTime();
            try {
                look(all);
            } catch (RuntimeException | OutOfMemoryError e) {
                LOG.warn("The memory of commands could not be measured; it is tried again", e);
            }
            long took = System.nanoTime() - began;
            LockSupport.parkNanos(Math.max(LOOK_NANOS, SHARE * took));
        }
    }

    private List<RunningProcess> living() {
        lock.lock();
        try {
            watched.removeIf(process -> !process.alive());
            running = !watched.isEmpty();
            return List.copyOf(watched);
        } finally {
            lock.unlock();
        }
    }

    private void look(List<RunningProcess> all) {
        List<ProcessTable.Entry> present = table.living();
        Set<Long> settled = readMarks(present, all);
        Map<RunningProcess, Set<Long>> members = new HashMap<>();
        for (RunningProcess one : all) {
            Set<Long> own = members(one, present);
            own.retainAll(settled);
            members.computeIfAbsent(one, ignored -> new HashSet<>()).addAll(own);
            one.used(
                    present.stream()
                            .filter(entry -> own.contains(entry.pid()))
                            .mapToLong(ProcessTable.Entry::ticks)
                            .sum());
            one.parts()
                    .holder()
                    .ifPresent(
                            holder ->
                                    members.computeIfAbsent(holder, ignored -> new HashSet<>())
                                            .addAll(own));
        }
        Map<Long, Long> held = new HashMap<>();
        Set<RunningProcess> relieved = new HashSet<>();
        for (RunningProcess one : commandsFirst(all)) {
            if (relieved.contains(one)) {
                continue; // one of its commands was ended: it is looked at again without that
            }
            Set<Long> pids = members.get(one);
            long bytes = pids.stream().mapToLong(p -> held.computeIfAbsent(p, this::held)).sum();
            long most = one.parts().memoryBytes();
            if (one.measured(bytes > most ? Math.min(bytes, shared(pids, held)) : bytes)) {
                one.parts().holder().ifPresent(relieved::add);
            }
        }
    }

    private static List<RunningProcess> commandsFirst(List<RunningProcess> all) {
        return all.stream()
                .sorted(Comparator.comparing(one -> one.parts().holder().isEmpty()))
                .toList();
    }

    /**
     * Reads the marks of processes that may have one, and forgets what has ended; returns those
     * that executed a program, or that the look before has seen as well.
     */
    private Set<Long> readMarks(List<ProcessTable.Entry> present, List<RunningProcess> all) {
        long oldest =
                all.stream()
                        .map(one -> table.find(one.pid()))
                        .flatMap(Optional::stream)
                        .mapToLong(ProcessTable.Entry::started)
                        .min()
                        .orElse(Long.MAX_VALUE);
        Map<Long, Marked> now = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (ProcessTable.Entry entry : present) {
            if (entry.started() < oldest) {
                continue; // none of a command
            }
            Marked known = marks.get(entry.pid());
            boolean same = known != null && known.started() == entry.started();
            String text = same ? known.text() : "";
            now.put(
                    entry.pid(),
                    new Marked(
                            entry.started(),
                            text.isEmpty() ? Mark.find(table.environment(entry.pid())) : text));
            if (same || entry.executed()) {
                seen.add(entry.pid());
            }
        }
        marks = now;
        return seen;
    }

    /** Its processes: of its session, with its mark, and all that descend from these. */
    private Set<Long> members(RunningProcess one, List<ProcessTable.Entry> present) {
        Set<Long> ours = new HashSet<>(Set.of(one.pid()));
        String mark = one.parts().mark().text();
        for (ProcessTable.Entry entry : present) {
            Marked known = marks.get(entry.pid());
            if (entry.session() == one.pid() || (known != null && known.text().equals(mark))) {
                ours.add(entry.pid());
            }
        }
        ProcessSweeper.addDescendants(present, ours);
        return ours;
    }

    /** Returns what a process holds, pages that it shares with others included; 0 once it ended. */
    private long held(long pid) {
        String status = table.read(pid, "status").orElse("");
        return bytes(status, "RssAnon:") + bytes(status, "RssShmem:");
    }

    /** Returns what processes hold, with pages of several divided among them where known. */
    private long shared(Set<Long> pids, Map<Long, Long> held) {
        List<Long> each = new ArrayList<>();
        for (long pid : pids) {
            String rollup = table.read(pid, "smaps_rollup").orElse("");
            boolean known = rollup.contains("Pss_Anon:");
            each.add(
                    known
                            ? bytes(rollup, "Pss_Anon:") + bytes(rollup, "Pss_Shmem:")
                            : held.get(pid));
        }
        return each.stream().mapToLong(Long::longValue).sum();
    }

    /** Returns a number of KiB in a file of lines such as {@code RssAnon: 12 kB}, as bytes. */
    private static long bytes(String file, String name) {
        return file.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .filter(digits -> !digits.isEmpty() && digits.length() < 16)
                .mapToLong(digits -> Long.parseLong(digits) << 10)
                .findFirst()
                .orElse(0);
    }
}
