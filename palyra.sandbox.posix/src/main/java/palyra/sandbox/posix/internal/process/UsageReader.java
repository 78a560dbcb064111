package palyra.sandbox.posix.internal.process;

import java.util.Optional;
import palyra.api.core.sandbox.SandboxProcess.Usage;
import palyra.sandbox.posix.internal.cgroup.Cgroup;

/**
 * Reads the resource usage of a command: of all processes by its cgroup, else of its first process.
 */
final class UsageReader {
    static final long MILLIS_PER_TICK = 10; // USER_HZ is 100 on every supported system

    private final ProcessTable table;
    private final Optional<Cgroup> group;
    private final long pid;

    UsageReader(ProcessTable table, Optional<Cgroup> group, long pid) {
        this.table = table;
        this.group = group;
        this.pid = pid;
    }

    Usage read() {
        long cpu = group.map(Cgroup::cpuMillis).orElse(-1L);
        if (cpu >= 0) {
            return new Usage(cpu, group.get().peakBytes(), true);
        }
        long own = table.find(pid).map(entry -> entry.ticks() * MILLIS_PER_TICK).orElse(-1L);
        return new Usage(own, peak(table.read(pid, "status")), false);
    }

    /** Returns the usage of a first process that has ended; its memory is unknown by then. */
    Usage ended(long cpuMillis) {
        return cpuMillis < 0 ? read() : new Usage(cpuMillis, -1, false);
    }

    /** Returns the most memory that a process has held; -1 when its status does not contain it. */
    static long peak(Optional<String> status) {
        return status.map(UsageReader::peak).orElse(-1L);
    }

    private static long peak(String status) {
        return status.lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .filter(digits -> !digits.isEmpty() && digits.length() < 16)
                .mapToLong(digits -> Long.parseLong(digits) << 10)
                .findFirst()
                .orElse(-1);
    }
}
