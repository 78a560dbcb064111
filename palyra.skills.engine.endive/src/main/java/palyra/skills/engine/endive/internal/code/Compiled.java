package palyra.skills.engine.endive.internal.code;

import java.util.Map;
import java.util.function.Function;
import run.endive.runtime.Instance;
import run.endive.runtime.Machine;
import run.endive.wasm.WasmModule;
import run.endive.wasm.types.ExternalType;
import run.endive.wasm.types.FunctionType;

/**
 * A module that is ready for instances. Its classes have a loader of their own and are unloaded
 * when no call has it any more.
 *
 * @param module the parsed module
 * @param machines makes what runs an instance
 * @param functions types of the exported functions, by name
 * @param memory index of the memory that is exported as {@code memory}; -1 without one
 * @param weight bytes that it is reckoned with in the cache
 * @param interpreted functions too large for a method of the JVM, which are interpreted
 * @param nanos time that compiling or loading took
 */
public record Compiled(
        WasmModule module,
        Function<Instance, Machine> machines,
        Map<String, FunctionType> functions,
        int memory,
        long weight,
        int interpreted,
        long nanos) {
    /** Name of the export through which host functions and limits see the memory. */
    static final String MEMORY = "memory";

    static Compiled of(
            WasmModule module,
            Function<Instance, Machine> machines,
            long weight,
            int interpreted,
            long nanos) {
        return new Compiled(
                module,
                machines,
                Exports.functions(module),
                Exports.index(module, MEMORY, ExternalType.MEMORY),
                weight,
                interpreted,
                nanos);
    }
}
