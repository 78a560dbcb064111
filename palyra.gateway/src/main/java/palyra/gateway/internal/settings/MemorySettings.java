package palyra.gateway.internal.settings;

import palyra.api.Require;
import palyra.gateway.internal.engine.memory.MemoryPool;
import palyra.shared.settings.Bounds;

/**
 * Limits in bytes for the memory of runs and for the output of models.
 *
 * @param runMemoryBytes what all runs together may hold; 0 for a quarter of the largest heap
 * @param runShareBytes what one run may hold; 0 for a quarter of that
 * @param maxAnswerBytes longest answer and thoughts of one turn together, in UTF-8
 * @param maxTurnBytes most of everything that one turn streams, in UTF-8
 */
public record MemorySettings(
        long runMemoryBytes, long runShareBytes, long maxAnswerBytes, long maxTurnBytes) {
    /** What holds without configuration. */
    public static final MemorySettings DEFAULT = new MemorySettings(0, 0, 2L << 20, 4L << 20);

    private static final long LEAST_MEMORY = 1L << 18;
    private static final long MOST_MEMORY = 1L << 40;
    private static final int PART = 4;

    /** What a run may hold of the small part: a short question with a short answer, and more. */
    private static final long SMALL_RUN = 256L << 10;

    /** Checks. */
    public MemorySettings {
        memory("runMemoryBytes", runMemoryBytes);
        memory("runShareBytes", runShareBytes);
        within("maxAnswerBytes", maxAnswerBytes, 1_024, 256L << 20);
        within("maxTurnBytes", maxTurnBytes, 1_024, 256L << 20);
    }

    private static void memory(String name, long value) {
        Require.that(
                value == 0 || (value >= LEAST_MEMORY && value <= MOST_MEMORY),
                "palyra.gateway: "
                        + name
                        + " is "
                        + value
                        + "; use 0, or "
                        + LEAST_MEMORY
                        + " to "
                        + MOST_MEMORY);
    }

    private static void within(String name, long value, long least, long most) {
        Bounds.within("palyra.gateway", name, value, least, most);
    }

    /** Returns how many bytes all runs together may hold. */
    public long totalBytes() {
        return runMemoryBytes == 0 ? Runtime.getRuntime().maxMemory() / PART : runMemoryBytes;
    }

    /**
     * Returns the limits of the budget that all runs share. A share is at most half of it; a
     * quarter is for runs that hold little, each at most a quarter of that.
     */
    public MemoryPool.Limits limits() {
        long total = totalBytes();
        long share = runShareBytes == 0 ? total / PART : runShareBytes;
        long small = total / PART;
        return new MemoryPool.Limits(
                total, Math.min(share, total / 2), small, Math.min(SMALL_RUN, small / PART));
    }
}
