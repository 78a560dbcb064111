package palyra.skills.engine.wasmtime.internal.gateway;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Limits the number of running calls and the memory of each. Its owner guards it. */
final class CallSlots {
    private final WasmtimeSettings settings;
    private int calls;

    CallSlots(WasmtimeSettings settings) {
        this.settings = settings;
    }

    /**
     * Takes a slot for a call whose memory may grow to some pages; RESOURCE_EXHAUSTED when too many
     * run, INVALID_ARGUMENT when the memory is larger than one may be.
     */
    void acquire(int pages) {
        if (calls >= settings.calls()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    calls
                            + " calls run already, which is the limit: try again when one has ended,"
                            + " or raise maxConcurrentCalls.");
        }
        if (pages > WasmtimeSettings.PAGES_OF_ONE) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The memory of this module can grow to "
                            + pages
                            + " pages, and on wasmtime one may have "
                            + WasmtimeSettings.PAGES_OF_ONE
                            + ": lower max_memory_bytes, or run it on endive.");
        }
        calls++;
    }

    /** Frees a slot that {@link #acquire} took. */
    void release() {
        calls--;
    }
}
