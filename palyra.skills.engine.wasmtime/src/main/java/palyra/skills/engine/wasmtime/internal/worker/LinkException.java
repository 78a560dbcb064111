package palyra.skills.engine.wasmtime.internal.worker;

/** A module needs an import that it was not given, or lacks a called export. */
final class LinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LinkException(String message) {
        super(message, null, false, false);
    }
}
