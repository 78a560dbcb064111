package palyra.lib.cedar;

/**
 * What a prepared policy set is for, which says on which of the engine's two threads its work is
 * done: decisions never wait behind work on sets that may never come into force.
 */
public enum PreparedUse {
    /**
     * A set that is in force and decides: prepared and asked on the thread of decisions, since no
     * caller can be answered before it is prepared.
     */
    IN_FORCE,
    /**
     * A set that is about to come into force: prepared on the thread for candidates, while the one
     * before it goes on deciding, and asked on the thread of decisions.
     */
    NEXT,
    /** A candidate or an earlier set: prepared and asked on the thread for candidates. */
    CANDIDATE
}
