package palyra.api.core.sandbox;

import palyra.api.Require;

/**
 * What one sandboxed command may use. Every value is greater than 0, and a hard bound except for
 * {@code outputBytes}.
 *
 * @param wallMillis wall-clock time in milliseconds
 * @param cpuMillis processor time in milliseconds; of all processes where a cgroup counts them, of
 *     each process otherwise
 * @param memoryBytes memory in bytes, of all processes together; where no cgroup counts it, as they
 *     are measured to hold it
 * @param processes processes and threads at one time
 * @param fileBytes largest file that it may write, in bytes
 * @param openFiles descriptors of one process
 * @param outputBytes how much of each of standard output and standard error is kept in memory, in
 *     bytes; a command may write more
 * @param scratchBytes size of each temporary file system, in bytes
 */
public record SandboxLimits(
        long wallMillis,
        long cpuMillis,
        long memoryBytes,
        int processes,
        long fileBytes,
        int openFiles,
        long outputBytes,
        long scratchBytes) {
    /** The default limits. */
    public static final SandboxLimits DEFAULT =
            new SandboxLimits(
                    30_000, 10_000, 512L << 20, 128, 64L << 20, 256, 128L << 10, 64L << 20);

    /** Checks. */
    public SandboxLimits {
        positive(wallMillis, "wall-clock time");
        positive(cpuMillis, "processor time");
        positive(memoryBytes, "memory");
        positive(processes, "number of processes");
        positive(fileBytes, "file size");
        positive(openFiles, "number of open files");
        positive(outputBytes, "output size");
        positive(scratchBytes, "scratch size");
    }

    private static void positive(long value, String what) {
        Require.that(value > 0, "the limit of " + what + " is " + value + ": use more than 0");
    }

    /** Returns these limits with another wall-clock time. */
    public SandboxLimits withWallMillis(long millis) {
        return new SandboxLimits(
                millis,
                cpuMillis,
                memoryBytes,
                processes,
                fileBytes,
                openFiles,
                outputBytes,
                scratchBytes);
    }
}
