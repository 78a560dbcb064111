package palyra.gateway.internal.engine;

/**
 * Ends a worker's work without ending its run: the engine stops, lost the run to another engine, or
 * cannot write.
 */
final class Halt extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Halt(String reason) {
        super(reason, null, false, false);
    }
}
