package palyra.shared.loop;

/**
 * The body of a loop, from its start until it returns. It is started again after everything it
 * throws, so its state must be safe to begin with again.
 */
@FunctionalInterface
public interface LoopBody {
    /** Works. A return ends the loop for good. */
    void run(Heartbeat pulse) throws Exception;
}
