package palyra.journal.internal.write;

import java.sql.SQLException;

/** Something that the writer thread does in a transaction, together with its neighbours. */
public interface WriterTask<T> {
    /**
     * Does it. A PalyraException refuses this task alone; an SQLException may be about all of the
     * group.
     */
    T apply(WriteContext context) throws SQLException;

    /** Returns how much of a group it takes up, from 1. */
    default int weight() {
        return 1;
    }

    /** Returns the payload bytes that it brings. */
    default long bytes() {
        return 0;
    }

    /**
     * Returns whether a refusal always comes before the first write, so that no savepoint is
     * needed.
     */
    default boolean refusesBeforeWriting() {
        return false;
    }

    /** Returns whether it needs the key store. */
    default boolean signs() {
        return false;
    }

    /** Returns whether it may go on when space is short. */
    default boolean whenSpaceIsShort() {
        return false;
    }

    /** Called once it is durable or refused. */
    default void settled() {}
}
