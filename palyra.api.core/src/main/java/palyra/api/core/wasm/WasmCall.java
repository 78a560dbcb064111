package palyra.api.core.wasm;

import java.util.List;
import palyra.api.Require;

/**
 * One call of a function that a module exports, which takes nothing and returns nothing or one
 * number.
 *
 * @param callId identifies the call among those that run on the engine
 * @param module the module
 * @param exports functions to call in order in one instance, after {@link WasmModule#START}: each
 *     {@code () -> ()}, {@code () -> i32} or {@code () -> i64}; the last one's number is the result
 * @param fuel fuel for all of them together, at least 1
 * @param timeoutMillis wall-clock limit in milliseconds from {@link WasmEngine#start}; compiling
 *     counts, and is stopped when it is over unless another call waits for the same module
 */
public record WasmCall(
        String callId, WasmModule module, List<String> exports, long fuel, long timeoutMillis) {
    /** Checks and copies. */
    public WasmCall {
        Require.text(callId, "call id");
        Require.present(module, "module");
        exports = List.copyOf(exports);
        Require.that(!exports.isEmpty(), "a call names at least one export");
        Require.that(fuel >= 1, "fuel is at least 1");
        Require.that(timeoutMillis >= 1, "a time limit is at least 1 ms");
    }
}
