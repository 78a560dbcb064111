package palyra.skills.internal.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;

/**
 * {@code env.abort} of AssemblyScript: ends the call with a message and a place. A string of it is
 * UTF-16LE; its length in bytes is in the four bytes before it.
 */
final class AbortFunction {
    private static final int MOST_BYTES = 2_048;

    private AbortFunction() {}

    static WasmFunction function() {
        return Signature.action("env", "abort", 4, AbortFunction::abort);
    }

    private static long abort(GuestMemory memory, long[] arguments) {
        throw new WasmStop(
                WasmEnding.TRAPPED,
                "abort: "
                        + text(memory, (int) arguments[0])
                        + " at "
                        + text(memory, (int) arguments[1])
                        + ":"
                        + Integer.toUnsignedString((int) arguments[2])
                        + ":"
                        + Integer.toUnsignedString((int) arguments[3]));
    }

    private static String text(GuestMemory memory, int address) {
        if (Integer.compareUnsigned(address, Integer.BYTES) < 0) {
            return "";
        }
        byte[] head = memory.read(address - Integer.BYTES, Integer.BYTES, Integer.BYTES);
        int length = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt() & ~1;
        int shown = Integer.compareUnsigned(length, MOST_BYTES) > 0 ? MOST_BYTES : length;
        String text =
                new String(memory.read(address, shown, MOST_BYTES), StandardCharsets.UTF_16LE);
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
