package palyra.testing.wasm;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.Admitted;
import run.endive.runtime.HostFunction;
import run.endive.runtime.ImportValues;
import run.endive.runtime.Instance;
import run.endive.wasm.Parser;
import run.endive.wasm.WasmEngineException;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.ValType;

/** A module in an interpreter, metered or as it came. */
final class Guest {
    private static final AdmissionLimits LIMITS = AdmissionLimits.DEFAULTS;

    private final Instance instance;

    private Guest(byte[] bytes) {
        var module = Parser.parse(bytes);
        instance =
                Instance.builder(module).withStart(false).withImportValues(imports(module)).build();
    }

    /** Growth is always granted, where a module asks for it. */
    private static ImportValues imports(run.endive.wasm.WasmModule module) {
        return module.importSection().importCount() == 0
                ? ImportValues.empty()
                : ImportValues.builder()
                        .addFunction(
                                new HostFunction(
                                        WasmModule.METER,
                                        WasmModule.GROW,
                                        FunctionType.of(List.of(ValType.I32), List.of()),
                                        (instance, arguments) -> new long[0]))
                        .build();
    }

    /**
     * How a call ended.
     *
     * @param ending {@code returned}, {@code trapped}, {@code fuel} or {@code depth}
     * @param value what it returned, 0 otherwise
     * @param fuel fuel that it used; 0 when it was not metered
     */
    record Result(String ending, long value, long fuel) {}

    /** Returns a module as it came. */
    static Guest unmetered(byte[] module) {
        return new Guest(module);
    }

    /** Returns a module after admission with the usual limits. */
    static Guest metered(byte[] module) {
        return metered(module, LIMITS);
    }

    /** Returns a module after admission. */
    static Guest metered(byte[] module, AdmissionLimits limits) {
        return new Guest(admitted(module, limits).bytes());
    }

    /** Returns what admission makes of a module. */
    static WasmModule admitted(byte[] module, AdmissionLimits limits) {
        Admitted admitted = Admission.admit(module, AdmissionRules.closed(limits));
        return admitted.module().orElseThrow(() -> new AssertionError(admitted.reasons()));
    }

    /** Calls an export of an unmetered module. */
    Result call(String export) {
        return deep(() -> unmetered(export));
    }

    private Result unmetered(String export) {
        try {
            return new Result("returned", only(export), 0);
        } catch (WasmEngineException e) {
            return new Result("trapped", 0, 0);
        }
    }

    /** Calls an export with so much fuel, the start function before it when there is one. */
    Result call(String export, long fuel) {
        return deep(() -> metered(export, fuel));
    }

    /** The interpreter takes up to 3 KiB for a frame, so 1,000 of them need a large stack. */
    private static Result deep(Callable<Result> call) {
        FutureTask<Result> task = new FutureTask<>(call);
        new Thread(null, task, "palyra-test-guest", 8 << 20).start();
        try {
            return task.get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Result metered(String export, long fuel) {
        instance.export(WasmModule.REFUEL).apply(fuel);
        try {
            if (hasStart()) {
                only(WasmModule.START);
            }
            long value = only(export);
            return new Result("returned", value, fuel - left());
        } catch (WasmEngineException e) {
            return new Result(
                    switch ((int) only(WasmModule.STOPPED)) {
                        case WasmModule.STOPPED_BY_FUEL -> "fuel";
                        case WasmModule.STOPPED_BY_DEPTH -> "depth";
                        default -> "trapped";
                    },
                    0,
                    fuel - left());
        }
    }

    private boolean hasStart() {
        return instance.module().exportSection() != null
                && java.util.stream.IntStream.range(
                                0, instance.module().exportSection().exportCount())
                        .anyMatch(
                                i ->
                                        instance.module()
                                                .exportSection()
                                                .getExport(i)
                                                .name()
                                                .equals(WasmModule.START));
    }

    /** Returns the fuel that is left. */
    long left() {
        return only(WasmModule.FUEL);
    }

    private long only(String export) {
        long[] values = instance.export(export).apply();
        return values == null || values.length == 0 ? 0 : values[0];
    }

    /** Returns a 32-bit number in its memory. */
    int memory(int address) {
        return instance.memory().readInt(address);
    }

    /** Returns the pages of its memory. */
    int pages() {
        return instance.memory().pages();
    }
}
