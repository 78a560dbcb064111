package palyra.shared.loop;

/** What a loop's body tells its supervisor, and asks it. Only for the body's own thread. */
public interface Pulse {
    /** Returns whether the loop is to end. */
    boolean isStopping();

    /** Says that a step begins now: the loop is alive. */
    void beat();

    /** Says that the loop waits for work, however long: until the next beat it cannot stall. */
    void idle();
}
