package palyra.sandbox.posix.internal.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/** The cgroup of one call: one folder in version 2, one for each controller in version 1. */
public final class Cgroup {
    private static final long PAUSE_MILLIS = 2;

    private final CgroupFiles files;
    private final boolean second;
    private final List<Path> folders;
    private final Map<String, Path> used;
    private final LongConsumer kill;
    private final LongPredicate alive;

    Cgroup(
            CgroupFiles files,
            boolean second,
            List<Path> folders,
            Map<String, Path> used,
            LongConsumer kill,
            LongPredicate alive) {
        this.files = files;
        this.second = second;
        this.folders = folders;
        this.used = Map.copyOf(used);
        this.kill = kill;
        this.alive = alive;
    }

    /** Returns the files to which a process writes its id to join; it must write to all. */
    public List<String> joinFiles() {
        return folders.stream().map(folder -> folder.resolve("cgroup.procs").toString()).toList();
    }

    /** Returns the version and the controllers in use, such as {@code v1(cpu,memory,pids)}. */
    public String words() {
        return (second ? "v2(" : "v1(") + String.join(",", new TreeSet<>(used.keySet())) + ")";
    }

    /** Returns whether it counts and limits memory. */
    public boolean countsMemory() {
        return used.containsKey("memory");
    }

    /** Returns the processor time of all processes in milliseconds; -1 without the controller. */
    public long cpuMillis() {
        Path folder = used.get("cpu");
        if (folder == null) {
            return -1;
        }
        long value =
                second
                        ? files.number(folder, "cpu.stat", "usage_usec")
                        : files.number(folder, "cpuacct.usage");
        return value < 0 ? -1 : value / (second ? 1_000 : 1_000_000);
    }

    /** Returns the peak memory of all processes together in bytes; -1 without the controller. */
    public long peakBytes() {
        Path folder = used.get("memory");
        if (folder == null) {
            return -1;
        }
        return files.number(folder, second ? "memory.peak" : "memory.max_usage_in_bytes");
    }

    /** Returns how many processes in it the kernel has killed for want of memory. */
    public long killedForMemory() {
        Path folder = used.get("memory");
        String file = second ? "memory.events" : "memory.oom_control";
        return folder == null ? 0 : Math.max(0, files.number(folder, file, "oom_kill"));
    }

    /** Returns the number of processes in it that are not dead. */
    int size() {
        return members().size();
    }

    private Set<Long> members() {
        Set<Long> all = new TreeSet<>();
        for (Path folder : folders) {
            for (Path each : files.tree(folder)) {
                for (String line : files.read(each, "cgroup.procs").orElse("").split("\n")) {
                    if (line.matches("[0-9]{1,10}") && alive.test(Long.parseLong(line))) {
                        all.add(Long.parseLong(line));
                    }
                }
            }
        }
        all.remove(0L);
        return all;
    }

    /**
     * Kills every process in it until none is left or the time is over.
     *
     * @param deadline in terms of {@link System#nanoTime}
     * @return how many are left
     */
    public int kill(long deadline) {
        Set<Long> left = members();
        while (!left.isEmpty()) {
            if (!killAtOnce()) {
                left.forEach(kill::accept);
            }
            if (System.nanoTime() - deadline > 0) {
                return members().size();
            }
            pause();
            left = members();
        }
        return 0;
    }

    private boolean killAtOnce() {
        if (!second || !files.has(folders.get(0), "cgroup.kill")) {
            return false;
        }
        try {
            files.write(folders.get(0), "cgroup.kill", "1");
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** Removes its folders; tries again for a while, as processes leave late. */
    public boolean remove(long millis) {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (!removed()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            pause();
        }
        return true;
    }

    private boolean removed() {
        boolean all = true;
        for (Path folder : folders) {
            for (Path each : files.tree(folder)) {
                try {
                    if (Files.exists(each)) {
                        files.remove(each);
                    }
                } catch (IOException busy) {
                    all = false;
                }
            }
        }
        return all;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            Thread.onSpinWait();
        }
    }
}
