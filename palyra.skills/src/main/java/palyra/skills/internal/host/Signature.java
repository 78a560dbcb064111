package palyra.skills.internal.host;

import java.util.Collections;
import java.util.List;
import palyra.api.core.wasm.WasmHost.Body;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;

/** Short ways to write down host functions. */
final class Signature {
    /** Import module of the ABI. */
    static final String PALYRA = "palyra";

    private Signature() {}

    /** Returns a function whose parameters are i32 and whose result is one. */
    static WasmFunction i32(String module, String name, int parameters, Body body) {
        return new WasmFunction(module, name, numbers(parameters), List.of(Number.I32), body);
    }

    /** Returns a function whose parameters are i32 and which returns nothing. */
    static WasmFunction action(String module, String name, int parameters, Body body) {
        return new WasmFunction(module, name, numbers(parameters), List.of(), body);
    }

    private static List<Number> numbers(int count) {
        return Collections.nCopies(count, Number.I32);
    }
}
