package palyra.shared.loop;

/**
 * What a loop does, from its beginning until it returns. It is begun again after everything it
 * throws, so its state must be safe to begin with again.
 */
@FunctionalInterface
public interface LoopBody {
    /** Works. A return ends the loop for good. */
    void run(Pulse pulse) throws Exception;
}
