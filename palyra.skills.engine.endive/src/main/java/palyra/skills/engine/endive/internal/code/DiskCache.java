package palyra.skills.engine.endive.internal.code;

import java.util.Optional;

/** Compiled code that outlives the process. Thread-safe; never throws. */
public interface DiskCache {
    /** Keeps nothing. */
    DiskCache NONE =
            new DiskCache() {
                @Override
                public Optional<byte[]> get(String digest) {
                    return Optional.empty();
                }

                @Override
                public void put(String digest, byte[] content) {}

                @Override
                public void remove(String digest) {}

                @Override
                public Counts counts() {
                    return new Counts(0, 0, 0);
                }
            };

    /** Returns what was kept for a module, exactly as it was; empty when there is nothing good. */
    Optional<byte[]> get(String digest);

    /** Keeps something for a module. */
    void put(String digest, byte[] content);

    /** Removes the entry of a module. */
    void remove(String digest);

    /** Returns what happened since the start. */
    Counts counts();

    /**
     * Counters since the start.
     *
     * @param hits entries that were used
     * @param refused entries that were not as this gateway had written them, and were removed
     * @param problems reads and writes that failed
     */
    record Counts(long hits, long refused, long problems) {}
}
