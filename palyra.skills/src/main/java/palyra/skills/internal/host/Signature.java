package palyra.skills.internal.host;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import palyra.api.core.wasm.WasmHost.Body;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;

/** Short ways to write down host functions. */
final class Signature {
    /** Import module of the ABI. */
    static final String PALYRA = "palyra";

    private static final int MOST_PARAMETERS = 10;

    /** Shared: every call gets new functions, and these lists are not copied. */
    private static final List<List<Number>> PARAMETERS =
            IntStream.rangeClosed(0, MOST_PARAMETERS)
                    .mapToObj(count -> List.copyOf(Collections.nCopies(count, Number.I32)))
                    .toList();

    private static final List<Number> RESULT = List.of(Number.I32);

    private Signature() {}

    /** Returns a function whose parameters are i32 and whose result is one. */
    static WasmFunction i32(String module, String name, int parameters, Body body) {
        return new WasmFunction(module, name, PARAMETERS.get(parameters), RESULT, body);
    }

    /** Returns a function whose parameters are i32 and which returns nothing. */
    static WasmFunction action(String module, String name, int parameters, Body body) {
        return new WasmFunction(module, name, PARAMETERS.get(parameters), List.of(), body);
    }
}
