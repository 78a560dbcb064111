package palyra.api.core.journal;

import java.util.Optional;
import palyra.api.Require;

/**
 * How the store is doing.
 *
 * @param state whether it can be written and read
 * @param detail one sentence: what was found and what to do; empty when all is well
 * @param databaseBytes size of the database with its write-ahead log
 * @param freeBytes space left on its medium
 * @param recordCount records appended over the store's life
 * @param schemaVersion number of the last migration
 * @param scrub the last check of everything that is stored, which goes on in the background; empty
 *     before the first has ended
 */
public record JournalStatus(
        State state,
        String detail,
        long databaseBytes,
        long freeBytes,
        long recordCount,
        int schemaVersion,
        Optional<Scrub> scrub) {
    /** What the store can do now. */
    public enum State {
        /** Reads and writes. */
        OPEN,
        /** Reads only: the medium refuses writes. It tries again by itself. */
        READ_ONLY,
        /** Reads only: no space. It tries again by itself. */
        DISK_FULL,
        /** Neither, until an operator acts: data is damaged or could not be made durable. */
        STOPPED
    }

    /**
     * A check of everything that is stored.
     *
     * @param endedAtMillis when it ended, unix time
     * @param records records that it found intact
     * @param faults places that are known to be damaged now
     */
    public record Scrub(long endedAtMillis, long records, int faults) {}

    /** Creates the status of a store that was never scrubbed. */
    public JournalStatus(
            State state,
            String detail,
            long databaseBytes,
            long freeBytes,
            long recordCount,
            int schemaVersion) {
        this(state, detail, databaseBytes, freeBytes, recordCount, schemaVersion, Optional.empty());
    }

    /** Checks. */
    public JournalStatus {
        Require.present(state, "state");
        Require.present(scrub, "scrub");
        detail = Require.orEmpty(detail);
    }
}
