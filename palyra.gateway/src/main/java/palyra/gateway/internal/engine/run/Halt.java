package palyra.gateway.internal.engine.run;

/**
 * Ends a worker's work without ending its run: the engine stops, lost the run to another engine, or
 * cannot write.
 */
public final class Halt extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Halt(String reason) {
        super(reason, null, false, false);
    }
}
