package palyra.shared.loop;

/** What a loop's body tells its supervisor, and asks it. Only for the body's own thread. */
public interface Heartbeat {
    /** Returns whether the loop is to end. */
    boolean isStopping();

    /** Marks the start of a step: the loop is alive. */
    void beat();

    /** Marks a wait for work of any length: until the next beat it does not count as stalled. */
    void idle();
}
