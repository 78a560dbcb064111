package palyra.shared.wasm;

/** Bytes are not a module that can be admitted. The only exception of this package. */
public final class ModuleException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String code;

    /**
     * Creates one; without a stack trace, because it is an answer and not a fault.
     *
     * @param code as {@link Reason#code()}
     * @param sentence what was found, and at which offset
     */
    public ModuleException(String code, String sentence) {
        super(sentence, null, false, false);
        this.code = code;
    }

    /** Returns the machine's name of the reason. */
    public String code() {
        return code;
    }

    /** Returns it as a reason of a verdict. */
    public Reason reason() {
        return new Reason(code, getMessage());
    }
}
