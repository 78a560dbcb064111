package palyra.shared.wasm;

import java.util.List;
import palyra.api.Require;

/**
 * The rules for the admission of a module.
 *
 * @param limits limits of sizes and counts
 * @param imports functions it may import; anything else that it imports is a reason against it
 * @param exports functions it must export
 * @param memory whether it must export a memory by the name {@code memory}
 */
public record AdmissionRules(
        AdmissionLimits limits,
        List<FunctionImport> imports,
        List<FunctionExport> exports,
        boolean memory) {
    /** Checks and copies. */
    public AdmissionRules {
        Require.present(limits, "limits of admission");
        imports = List.copyOf(imports);
        exports = List.copyOf(exports);
    }

    /** Returns rules that ask for nothing and grant no import. */
    public static AdmissionRules closed(AdmissionLimits limits) {
        return new AdmissionRules(limits, List.of(), List.of(), false);
    }
}
