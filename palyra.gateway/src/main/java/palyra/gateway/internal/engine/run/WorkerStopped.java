package palyra.gateway.internal.engine.run;

/**
 * Ends a worker's work without ending its run: the engine stops, lost the run to another engine, or
 * cannot write.
 */
public final class WorkerStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WorkerStopped(String reason) {
        super(reason, null, false, false);
    }
}
