package palyra.shared.wasm;

import palyra.api.Require;
import palyra.api.core.wasm.WasmHost;

/**
 * A function that a module may import, by exactly this type.
 *
 * @param module first part of its name; may be empty
 * @param name second part; may be empty
 * @param type its type
 */
public record FunctionImport(String module, String name, FunctionType type) {
    /** Checks. */
    public FunctionImport {
        Require.present(module, "module of an import");
        Require.present(name, "name of an import");
        Require.present(type, "type of an import");
    }

    /** Returns the import that a function of a host answers. */
    public static FunctionImport of(WasmHost.WasmFunction function) {
        return new FunctionImport(function.module(), function.name(), FunctionType.of(function));
    }
}
