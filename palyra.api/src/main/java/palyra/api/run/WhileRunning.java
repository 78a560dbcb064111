package palyra.api.run;

/** What becomes of a message for a session that has a run which has not ended. */
public enum WhileRunning {
    /** It waits until the runs before it have ended, and gets a run of its own. */
    QUEUE,
    /**
     * The run that goes on is told it before its model is asked next, and answers both. A message
     * that comes after its last turn began gets a run of its own, as with {@link #QUEUE}.
     */
    STEER,
    /** The runs of the same principal in the session are cancelled, and it gets the next run. */
    CANCEL
}
