package palyra.shared.wasm;

import palyra.api.Require;

/**
 * A function that a module must export, by exactly this type.
 *
 * @param name its name
 * @param type its type
 */
public record FunctionExport(String name, FunctionType type) {
    /** Checks. */
    public FunctionExport {
        Require.present(name, "name of an export");
        Require.present(type, "type of an export");
    }
}
