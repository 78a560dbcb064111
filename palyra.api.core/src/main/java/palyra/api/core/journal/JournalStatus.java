package palyra.api.core.journal;

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
 */
public record JournalStatus(
        State state,
        String detail,
        long databaseBytes,
        long freeBytes,
        long recordCount,
        int schemaVersion) {
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

    /** Checks. */
    public JournalStatus {
        Require.present(state, "state");
        detail = Require.orEmpty(detail);
    }
}
