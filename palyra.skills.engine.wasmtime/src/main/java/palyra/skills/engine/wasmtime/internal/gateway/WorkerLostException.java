package palyra.skills.engine.wasmtime.internal.gateway;

/** The worker ended, or violates the protocol. */
final class WorkerLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WorkerLostException(String message) {
        super(message, null, false, false);
    }
}
