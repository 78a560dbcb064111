package palyra.skills.engine.wasmtime.internal.gate;

/** The worker ended, or does not keep to the protocol. */
final class WorkerGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WorkerGone(String message) {
        super(message, null, false, false);
    }
}
