package palyra.testing.wasm.engine;

import java.util.List;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.Body;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;

/** The host functions that the fixture imports, with bodies of a test's choice. */
public final class HostFunctions {
    private static final Body NOTHING = (memory, arguments) -> 0;

    private HostFunctions() {}

    /** Returns no functions. */
    public static WasmHost none() {
        return new WasmHost(List.of());
    }

    /** Returns functions of which one does something: {@code add}, {@code wide} or {@code act}. */
    public static WasmHost with(String name, Body body) {
        return new WasmHost(List.of(add(name, body), wide(name, body), act(name, body)));
    }

    private static WasmFunction add(String name, Body body) {
        return function(
                "add",
                List.of(Number.I32, Number.I32),
                List.of(Number.I32),
                name.equals("add") ? body : (memory, all) -> all[0] + all[1]);
    }

    private static WasmFunction wide(String name, Body body) {
        return function(
                "wide",
                List.of(Number.I64, Number.F64, Number.F32, Number.I32),
                List.of(Number.I64),
                name.equals("wide") ? body : NOTHING);
    }

    private static WasmFunction act(String name, Body body) {
        return function(
                "act",
                List.of(Number.I32, Number.I32),
                List.of(),
                name.equals("act") ? body : NOTHING);
    }

    /** Makes a function of the module {@code test}. */
    public static WasmFunction function(
            String name, List<Number> parameters, List<Number> results, Body body) {
        return new WasmFunction("test", name, parameters, results, body);
    }
}
