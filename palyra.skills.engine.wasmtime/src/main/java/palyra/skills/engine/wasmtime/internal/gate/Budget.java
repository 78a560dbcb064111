package palyra.skills.engine.wasmtime.internal.gate;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** How many calls run, and how many pages their memories can come to. Its owner guards it. */
final class Budget {
    private final WasmtimeSettings settings;
    private int calls;
    private int pages;

    Budget(WasmtimeSettings settings) {
        this.settings = settings;
    }

    /** Takes one call that may grow to some pages; RESOURCE_EXHAUSTED when it does not fit. */
    void take(int wanted) {
        if (calls >= settings.calls()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    calls
                            + " calls run already, which is the most: try again when one has ended,"
                            + " or raise maxConcurrentCalls.");
        }
        if (wanted > WasmtimeSettings.PAGES_OF_ONE || (long) pages + wanted > settings.pages()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The memory of this module can grow to "
                            + wanted
                            + " pages; one may have "
                            + WasmtimeSettings.PAGES_OF_ONE
                            + ", and running calls have "
                            + pages
                            + " of "
                            + settings.pages()
                            + ": try again when one has ended, or raise maxPages.");
        }
        calls++;
        pages += wanted;
    }

    /** Gives back what {@link #take} took. */
    void give(int taken) {
        calls--;
        pages -= taken;
    }
}
