package palyra.skills.engine.wasmtime.internal.gateway;

/** The worker ended, or does not keep to the protocol. */
final class WorkerLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WorkerLostException(String message) {
        super(message, null, false, false);
    }
}
