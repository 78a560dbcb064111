package palyra.skills.internal.run;

import java.util.List;
import java.util.Set;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmModule;

/** Admits modules before an engine gets them. Thread-safe. */
public interface Admitter {
    /**
     * A module that was admitted.
     *
     * @param module what engines get
     * @param functions names of the functions that it exports by itself
     */
    record AdmittedModule(WasmModule module, Set<String> functions) {
        /** Copies. */
        public AdmittedModule {
            functions = Set.copyOf(functions);
        }
    }

    /**
     * Returns the module for engines: validated, clamped and metered.
     *
     * @param module the binary as the artifact has it
     * @param sha256 its digest, lower-case hex
     * @param functions what it may import
     * @param entrypoint function that it must export
     * @param action whether that function returns nothing, rather than an i32
     * @param memoryBytes most memory that it may have
     * @throws palyra.api.PalyraException DENIED with every reason when it is not admitted
     */
    AdmittedModule admit(
            byte[] module,
            String sha256,
            List<WasmFunction> functions,
            String entrypoint,
            boolean action,
            long memoryBytes);
}
