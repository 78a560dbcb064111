package palyra.skills.engine.endive.internal.run;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.wasm.HostMeter;
import palyra.skills.engine.endive.internal.code.Compiled;
import run.endive.runtime.HostFunction;
import run.endive.runtime.ImportFunction;
import run.endive.runtime.ImportValues;
import run.endive.runtime.Instance;
import run.endive.runtime.WasmInterruptedException;
import run.endive.wasm.types.FunctionImport;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.Import;
import run.endive.wasm.types.ValType;

/**
 * Gives a module the functions that it imports, by name and exact type, and nothing else.
 * Stateless.
 */
final class Linker {
    private static final long[] NOTHING = new long[0];

    private Linker() {}

    /** Returns what the module imports. */
    static ImportValues link(Compiled compiled, WasmHost host, RunningCall running) {
        var imports = compiled.module().importSection();
        if (imports.importCount() == 0) {
            return ImportValues.empty();
        }
        List<ImportFunction> linked = new ArrayList<>(imports.importCount());
        for (int at = 0; at < imports.importCount(); at++) {
            Import one = imports.getImport(at);
            if (!(one instanceof FunctionImport function)) {
                throw new LinkException(
                        "it imports "
                                + one.module()
                                + "."
                                + one.name()
                                + ", which is not a function; only functions can be imported");
            }
            FunctionType type = compiled.module().typeSection().getType(function.typeIndex());
            linked.add(link(one, type, find(one, type, host), compiled.memory(), running));
        }
        return ImportValues.builder().withFunctions(linked).build();
    }

    private static WasmFunction find(Import one, FunctionType type, WasmHost host) {
        for (WasmFunction given : host.functions()) {
            if (given.module().equals(one.module()) && given.name().equals(one.name())) {
                if (type.params().equals(types(given.parameters()))
                        && type.returns().equals(types(given.results()))) {
                    return given;
                }
                throw new LinkException(
                        "it imports "
                                + one.module()
                                + "."
                                + one.name()
                                + " with another type than "
                                + given.parameters()
                                + " -> "
                                + given.results());
            }
        }
        throw new LinkException(
                "it imports " + one.module() + "." + one.name() + ", which it was not given");
    }

    private static ImportFunction link(
            Import one, FunctionType type, WasmFunction given, int memory, RunningCall running) {
        Number[] parameters = given.parameters().toArray(new Number[0]);
        Number result = given.results().isEmpty() ? null : given.results().get(0);
        return new HostFunction(
                one.module(),
                one.name(),
                type,
                (instance, arguments) -> {
                    running.requireNotStopped();
                    long value = call(given, instance, memory, clean(parameters, arguments));
                    running.requireNotStopped();
                    return result == null ? NOTHING : new long[] {clean(result, value)};
                });
    }

    private static long call(WasmFunction given, Instance instance, int memory, long[] arguments) {
        GuestMemory pages = new GuestPages(memory < 0 ? null : instance.memory(memory));
        try {
            return HostMeter.call(given, pages, new ModuleFuel(instance), arguments);
        } catch (WasmStop | GuestTrap | WasmInterruptedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new HostFunctionException(e);
        }
    }

    /** The fuel that metering keeps in the module. */
    private record ModuleFuel(Instance instance) implements HostMeter.Fuel {
        @Override
        public long left() {
            return instance.export(WasmModule.FUEL).apply()[0];
        }

        @Override
        public void set(long left) {
            instance.export(WasmModule.REFUEL).apply(left);
        }
    }

    private static long[] clean(Number[] types, long[] values) {
        long[] clean = new long[types.length];
        for (int at = 0; at < types.length; at++) {
            clean[at] = clean(types[at], values[at]);
        }
        return clean;
    }

    /** Sign-extends what has 32 bits. */
    static long clean(Number type, long value) {
        return switch (type) {
            case I32, F32 -> (int) value;
            case I64, F64 -> value;
        };
    }

    private static List<ValType> types(List<Number> numbers) {
        return numbers.stream().map(Linker::type).toList();
    }

    private static ValType type(Number number) {
        return switch (number) {
            case I32 -> ValType.I32;
            case I64 -> ValType.I64;
            case F32 -> ValType.F32;
            case F64 -> ValType.F64;
        };
    }
}
