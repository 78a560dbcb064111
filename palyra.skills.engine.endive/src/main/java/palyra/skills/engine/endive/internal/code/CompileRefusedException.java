package palyra.skills.engine.endive.internal.code;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmModule;

/** A module cannot be compiled within the compile budget; a retry would fail as well. */
final class CompileRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    CompileRefusedException(String message) {
        super(message, null, false, false);
    }

    /** Returns one for a module that takes too much. */
    static CompileRefusedException tooExpensive(WasmModule module, String takes) {
        return new CompileRefusedException(
                "Module "
                        + module.sha256()
                        + " of "
                        + module.bytes().length
                        + " metered bytes cannot be compiled within its budget: it takes "
                        + takes
                        + ". Make its functions fewer or smaller.");
    }

    PalyraException asPalyra() {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, getMessage(), this);
    }
}
