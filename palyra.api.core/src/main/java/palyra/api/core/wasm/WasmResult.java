package palyra.api.core.wasm;

import palyra.api.Require;

/**
 * How a call ended and what it took.
 *
 * @param callId the call
 * @param ending how it ended
 * @param value number that the last function returned, or the number of {@link WasmEnding#EXITED};
 *     0 without a result; i32 sign-extended
 * @param fuelUsed fuel that it used: the same on every engine for the same module, input and
 *     answers of the host, when it {@link WasmEnding#RETURNED}, {@link WasmEnding#EXITED}, {@link
 *     WasmEnding#TRAPPED} or ran {@link WasmEnding#OUT_OF_FUEL}; all of it in the last case, and
 *     never more than was given
 * @param memoryPages pages of its memory at the end, which is the most that it had
 * @param detail one sentence about what went wrong; empty when nothing did
 * @param compileNanos time for compiling or loading; about 0 when it was compiled
 * @param runNanos time from the first instruction to the end
 */
public record WasmResult(
        String callId,
        WasmEnding ending,
        long value,
        long fuelUsed,
        int memoryPages,
        String detail,
        long compileNanos,
        long runNanos) {
    /** Checks. */
    public WasmResult {
        Require.text(callId, "call id");
        Require.present(ending, "ending");
        detail = Require.orEmpty(detail);
    }
}
