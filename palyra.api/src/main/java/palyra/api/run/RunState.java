package palyra.api.run;

/**
 * Where a run stands. {@code ACCEPTED → RUNNING ⇄ AWAITING_APPROVAL → SUCCEEDED | FAILED |
 * CANCELLED}. A run that cannot go on is QUARANTINED until somebody retries or cancels it.
 */
public enum RunState {
    /** Recorded; waits for its session to be free or for room. */
    ACCEPTED(false),
    /** A turn or a tool is being worked on. */
    RUNNING(false),
    /** Nothing executes and at least one call waits for a person. */
    AWAITING_APPROVAL(false),
    /**
     * Set aside: the engine could not go on with it several times, and the reason says why. It is
     * not tried again by itself, its session goes on without it, and it can be cancelled or
     * retried. Never on a tape: the tape tells what happened before.
     */
    QUARANTINED(false),
    /** Ended with an answer. */
    SUCCEEDED(true),
    /** Ended without an answer; the reason says why. */
    FAILED(true),
    /** Ended because somebody asked for it. */
    CANCELLED(true);

    private final boolean terminal;

    RunState(boolean terminal) {
        this.terminal = terminal;
    }

    /** Returns whether no further state follows. */
    public boolean terminal() {
        return terminal;
    }
}
