package palyra.sandbox.tierc.macos.internal.watch;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The process table of macOS, by {@code libproc} ({@code libproc.h}, {@code sys/resource.h} of
 * XNU). Times are in ticks of {@code mach_absolute_time}, which are nanoseconds on Intel only. Not
 * run on hardware.
 */
public final class LibProc implements ProcessTable {
    static final int PROC_PGRP_ONLY = 2;
    static final int PROC_RUID_ONLY = 5;
    static final int PROC_PPID_ONLY = 6;
    static final int RUSAGE_INFO_V1 = 1;

    // struct rusage_info_v1: uint8_t ri_uuid[16], then 64-bit numbers
    static final int USER_TIME = 16;
    static final int SYSTEM_TIME = 24;
    static final int PHYS_FOOTPRINT = 72;
    static final int PROC_START_ABSTIME = 80;
    static final int CHILD_USER_TIME = 96;
    static final int CHILD_SYSTEM_TIME = 104;
    static final int RUSAGE_INFO_V1_SIZE = 144;

    private static final int SIGKILL = 9;
    private static final int MOST_PROCESSES = 65_536;
    private static final int SLACK = 64; // processes that may come between two calls

    private final LibSystem system;
    private final long ticksNumerator;
    private final long ticksDenominator;

    /** The functions; names and arguments as in C. */
    interface LibSystem extends Library {
        int proc_listpids(int type, int typeInfo, Pointer buffer, int size);

        int proc_pid_rusage(int pid, int flavor, Pointer buffer);

        int mach_timebase_info(Pointer info);

        int kill(int pid, int signal);
    }

    /** Takes the functions; the clock's unit is asked for once. */
    LibProc(LibSystem system) {
        this.system = system;
        try (Memory info = new Memory(8)) {
            int failed = system.mach_timebase_info(info);
            this.ticksNumerator = Integer.toUnsignedLong(info.getInt(0));
            this.ticksDenominator = Integer.toUnsignedLong(info.getInt(4));
            if (failed != 0 || ticksNumerator == 0 || ticksDenominator == 0) {
                throw new IllegalStateException("the unit of processor time is unknown");
            }
        }
    }

    /**
     * Loads the functions of this host.
     *
     * @throws UnsatisfiedLinkError when they are not there, as on any other system
     */
    public static LibProc load() {
        return new LibProc(Native.load("System", LibSystem.class));
    }

    @Override
    public Optional<Use> use(int pid) {
        try (Memory info = new Memory(RUSAGE_INFO_V1_SIZE)) {
            if (system.proc_pid_rusage(pid, RUSAGE_INFO_V1, info) != 0) {
                return Optional.empty();
            }
            long ticks =
                    info.getLong(USER_TIME)
                            + info.getLong(SYSTEM_TIME)
                            + info.getLong(CHILD_USER_TIME)
                            + info.getLong(CHILD_SYSTEM_TIME);
            return Optional.of(
                    new Use(
                            info.getLong(PROC_START_ABSTIME),
                            info.getLong(PHYS_FOOTPRINT),
                            nanos(ticks)));
        }
    }

    private long nanos(long ticks) {
        long whole = ticks / ticksDenominator;
        long rest = ticks % ticksDenominator;
        return whole * ticksNumerator + rest * ticksNumerator / ticksDenominator;
    }

    @Override
    public List<Integer> group(int groupId) {
        return list(PROC_PGRP_ONLY, groupId);
    }

    @Override
    public List<Integer> children(int pid) {
        return list(PROC_PPID_ONLY, pid);
    }

    @Override
    public int count(long uid) {
        return list(PROC_RUID_ONLY, (int) uid).size();
    }

    /** Without a buffer the call returns the bytes it would need for all processes. */
    private List<Integer> list(int type, int argument) {
        int room = system.proc_listpids(type, argument, null, 0);
        if (room <= 0) {
            return List.of();
        }
        int entries = Math.min(room / Integer.BYTES + SLACK, MOST_PROCESSES);
        try (Memory buffer = new Memory((long) entries * Integer.BYTES)) {
            int used = system.proc_listpids(type, argument, buffer, (int) buffer.size());
            List<Integer> pids = new ArrayList<>();
            for (int i = 0; i < used / Integer.BYTES; i++) {
                int pid = buffer.getInt((long) i * Integer.BYTES);
                if (pid > 0) {
                    pids.add(pid);
                }
            }
            return pids;
        }
    }

    @Override
    public void kill(int pid) {
        if (pid > 1) { // never a group, never everything
            system.kill(pid, SIGKILL);
        }
    }
}
