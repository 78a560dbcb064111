package palyra.skills.engine.endive.internal.run;

import palyra.api.core.wasm.WasmEnding;

/** How the code of a call ended; {@code value} is its return value. */
record Outcome(WasmEnding ending, long value, String detail) {
    static Outcome returned(long value) {
        return new Outcome(WasmEnding.RETURNED, value, "");
    }

    static Outcome of(WasmEnding ending, String detail) {
        return new Outcome(ending, 0, detail);
    }
}
