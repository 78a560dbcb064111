package palyra.gateway.internal.engine.memory;

import java.util.List;

/**
 * How the memory of runs is used at a moment.
 *
 * @param usedBytes bytes that all runs hold
 * @param waiting turns that wait for memory
 * @param longestMillis how long the one that waits longest has waited, in milliseconds; 0 when none
 *     waits
 * @param largest the runs that hold most, the largest first
 */
public record MemoryUse(long usedBytes, int waiting, long longestMillis, List<Holder> largest) {
    /** A run and the bytes that it holds. */
    public record Holder(String runId, long bytes) {}
}
