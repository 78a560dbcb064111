package palyra.api.run;

/**
 * The state of a run: {@code ACCEPTED → RUNNING ⇄ AWAITING_APPROVAL → SUCCEEDED | FAILED |
 * CANCELLED}. A run that cannot go on is QUARANTINED until a user retries or cancels it.
 */
public enum RunState {
    /** Recorded; waits for its session to be free or for room. */
    ACCEPTED(false),
    /** A turn or a tool call is running. */
    RUNNING(false),
    /** At least one call waits for an approval and nothing executes. */
    AWAITING_APPROVAL(false),
    /**
     * Set aside after the engine failed several times to go on with it; the reason says why. It is
     * not tried again automatically, its session goes on without it, and it can be cancelled or
     * retried. This state is never recorded on a tape.
     */
    QUARANTINED(false),
    /** Ended with an answer. */
    SUCCEEDED(true),
    /** Ended without an answer; the reason says why. */
    FAILED(true),
    /** Ended by a cancellation. */
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
