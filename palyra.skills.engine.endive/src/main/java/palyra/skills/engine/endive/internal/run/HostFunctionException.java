package palyra.skills.engine.endive.internal.run;

/** A host function threw something; keeps it apart from what the engine itself throws. */
final class HostFunctionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HostFunctionException(Throwable cause) {
        super(cause.getMessage(), cause, false, false);
    }
}
