package palyra.skills.engine.wasmtime.internal.protocol;

/** How a call ended in the worker. The order is part of the protocol. */
public enum CallEnding {
    /** It returned. */
    RETURNED,
    /** Its fuel ran out. */
    OUT_OF_FUEL,
    /** Its calls were nested too deeply. */
    CALL_DEPTH,
    /** It trapped. */
    TRAPPED,
    /** It does not fit what it was given. */
    LINK,
    /** wasmtime does not take the module. */
    REFUSED,
    /** There was no memory for it. */
    OUT_OF_MEMORY,
    /** It was stopped. */
    STOPPED,
    /** A host function ended it; the gateway knows how. */
    HALTED,
    /** The worker failed. */
    FAILED
}
