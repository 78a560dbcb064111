package palyra.skills.engine.wasmtime.internal.gateway;

/** A host function was given an address outside the module's memory. */
final class RemoteTrap extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RemoteTrap(String message) {
        super(message, null, false, false);
    }
}
