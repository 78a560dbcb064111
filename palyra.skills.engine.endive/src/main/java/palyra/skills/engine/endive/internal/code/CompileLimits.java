package palyra.skills.engine.endive.internal.code;

import java.util.concurrent.TimeUnit;

/**
 * Resource limits of one compilation, in addition to the limits of admission.
 *
 * @param heapBytes heap of its process
 * @param cpuMillis processor time of its process
 */
public record CompileLimits(long heapBytes, long cpuMillis) {
    /** The defaults. */
    public static final CompileLimits DEFAULT = new CompileLimits(384L << 20, 30_000);

    /**
     * Largest answer: class files and their names. Held twice while they are checked, and in the
     * cache.
     */
    static final int ANSWER_BYTES = 16 << 20;

    /**
     * Bodies of functions that are interpreted, together. They are decoded in the gateway's JVM, in
     * up to 64 bytes of heap for each of theirs.
     */
    static final int INTERPRETED_BYTES = 512 << 10;

    private static final long STARTUP_MILLIS = TimeUnit.SECONDS.toMillis(10);

    /** Returns the wall-clock time after which a process is ended that got no processor time. */
    public long wallMillis() {
        return 2 * cpuMillis + STARTUP_MILLIS;
    }

    String heapWords() {
        return "more than the "
                + heapBytes
                + " bytes of heap that compileHeapBytes of palyra.skills.engine.endive allows";
    }

    String cpuWords() {
        return "more than the "
                + cpuMillis
                + " ms of processor time that compileCpuSeconds of palyra.skills.engine.endive"
                + " allows";
    }
}
