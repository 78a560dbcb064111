package palyra.skills.engine.wasmtime.internal.worker;

/** A module asks for what it was not given, or lacks what is called. */
final class LinkProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LinkProblem(String message) {
        super(message, null, false, false);
    }
}
