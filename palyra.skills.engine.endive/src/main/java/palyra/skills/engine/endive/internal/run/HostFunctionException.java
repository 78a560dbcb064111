package palyra.skills.engine.endive.internal.run;

/** A host function threw an exception, as opposed to the engine itself. */
final class HostFunctionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HostFunctionException(Throwable cause) {
        super(cause.getMessage(), cause, false, false);
    }
}
