package palyra.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What the kernel says about a process. Linux only. */
public final class Processes {
    private static final long TICK_MILLIS = 10;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Processes() {}

    /** Returns whether this system has the {@code /proc} files to read. */
    public static boolean supported() {
        return Files.isReadable(Path.of("/proc/self/status"));
    }

    /** Returns the memory that a process has in use, in megabytes of 1,048,576 bytes. */
    public static double residentMegabytes(long pid) throws IOException {
        return residentKilobytes(Files.readAllLines(Path.of("/proc/" + pid + "/status"))) / 1_024.0;
    }

    static long residentKilobytes(List<String> status) throws IOException {
        for (String line : status) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("the process has ended: its status names no memory");
    }

    /** Returns the processor time that a process has used, in clock ticks. */
    static long ticks(long pid) throws IOException {
        return ticks(Files.readString(Path.of("/proc/" + pid + "/stat")));
    }

    /** The name in the second field may hold blanks and brackets; user and system time follow. */
    static long ticks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    /**
     * Waits until a process has used less than one part in fifty of a processor for two seconds;
     * false when that did not come in time.
     */
    public static boolean awaitIdle(long pid, long seconds) throws IOException {
        long most = TimeUnit.NANOSECONDS.toMillis(QUIET_NANOS) / TICK_MILLIS / 50;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long since = System.nanoTime();
        long before = ticks(pid);
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            long now = ticks(pid);
            if (now - before > most) {
                before = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since >= QUIET_NANOS) {
                return true;
            }
        }
        return false;
    }
}
