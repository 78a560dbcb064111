package palyra.api.core.wasm;

/** How a call of a module ended. */
public enum WasmEnding {
    /** It returned. */
    RETURNED,
    /** It ended itself with a number, as {@code proc_exit} of WASI does. */
    EXITED,
    /** Its fuel ran out. */
    OUT_OF_FUEL,
    /** Its calls were nested too deeply. */
    CALL_DEPTH,
    /** Its time ran out. */
    DEADLINE,
    /** It was cancelled. */
    CANCELLED,
    /** It did what the specification traps: unreachable, an address outside, a division by zero. */
    TRAPPED,
    /** It imports what it was not given, or lacks the export. */
    LINK,
    /** The engine does not take it. */
    REFUSED,
    /** There was no memory left for it. */
    OUT_OF_MEMORY,
    /** A host function failed. */
    HOST_FAILED,
    /** The engine was being stopped: it can be called again on another. */
    ENGINE_STOPPED,
    /** The engine failed or died: what the module did before is unknown. */
    ENGINE_FAILED,
    /** Something else. */
    OTHER
}
