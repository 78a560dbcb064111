package palyra.skills.internal.host.fakes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.core.wasm.WasmEngineView;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.MemoryGrowth;
import palyra.shared.wasm.PagePool;
import run.endive.runtime.HostFunction;
import run.endive.runtime.ImportFunction;
import run.endive.runtime.ImportValues;
import run.endive.runtime.Instance;
import run.endive.runtime.WasmInterruptedException;
import run.endive.wasm.Parser;
import run.endive.wasm.types.FunctionType;
import run.endive.wasm.types.ValType;

/** Runs real modules in the interpreter of Endive: enough of an engine for tests of its callers. */
public final class InterpretedEngine implements WasmEngine {
    private final Map<String, Thread> threads = new ConcurrentHashMap<>();

    /** Returns its service properties. */
    public Map<String, Object> properties() {
        return Map.of(WasmEngine.ID, "endive");
    }

    @Override
    public WasmEngineView view() {
        return new WasmEngineView("endive", "1.0.0", "process=gateway", true, true, "", 0, 0);
    }

    @Override
    public void prepare(WasmModule module) {
        // it interprets: there is nothing to compile
    }

    @Override
    public void start(WasmCall call, WasmHost host, Consumer<WasmResult> sink) {
        Thread thread =
                new Thread(null, () -> sink.accept(run(call, host)), "interpreted", 64L << 20);
        thread.setDaemon(true);
        threads.put(call.callId(), thread);
        thread.start();
    }

    private static WasmResult run(WasmCall call, WasmHost host) {
        Instance instance =
                Instance.builder(Parser.parse(call.module().bytes()))
                        .withImportValues(imports(host))
                        .withStart(false) // it would run _start by itself
                        .build();
        WasmEnding ending = WasmEnding.RETURNED;
        String detail = "";
        long value = 0;
        try {
            instance.export(WasmModule.REFUEL).apply(call.fuel());
            if (call.module().start()) {
                instance.export(WasmModule.START).apply();
            }
            for (String export : call.exports()) {
                long[] results = instance.export(export).apply();
                value = results == null || results.length == 0 ? 0 : (int) results[0];
            }
        } catch (WasmStop e) {
            ending = e.ending();
            detail = e.getMessage();
        } catch (WasmInterruptedException e) {
            Thread.interrupted(); // so that the module still tells its fuel
            ending = WasmEnding.CANCELLED;
        } catch (RuntimeException | StackOverflowError e) {
            ending = stopped(instance);
            detail = String.valueOf(e.getMessage());
        }
        long left = instance.export(WasmModule.FUEL).apply()[0];
        return new WasmResult(
                call.callId(),
                ending,
                value,
                call.fuel() - Math.max(0, left),
                instance.memory().pages(),
                ending == WasmEnding.RETURNED ? "" : detail,
                0,
                0);
    }

    private static WasmEnding stopped(Instance instance) {
        return switch ((int) instance.export(WasmModule.STOPPED).apply()[0]) {
            case WasmModule.STOPPED_BY_FUEL -> WasmEnding.OUT_OF_FUEL;
            case WasmModule.STOPPED_BY_DEPTH -> WasmEnding.CALL_DEPTH;
            default -> WasmEnding.TRAPPED;
        };
    }

    private static ImportValues imports(WasmHost host) {
        List<ImportFunction> functions = new ArrayList<>();
        PagePool.Claim pages = new PagePool(1 << 16).claim(1 << 16);
        MemoryGrowth.with(host, pages, "none")
                .functions()
                .forEach(each -> functions.add(function(each)));
        return ImportValues.builder().withFunctions(functions).build();
    }

    private static HostFunction function(WasmFunction given) {
        return new HostFunction(
                given.module(),
                given.name(),
                FunctionType.of(types(given.parameters()), types(given.results())),
                (instance, arguments) -> {
                    long[] clean = arguments.clone();
                    for (int i = 0; i < clean.length; i++) {
                        boolean wide = given.parameters().get(i) == Number.I64;
                        clean[i] = wide ? clean[i] : (int) clean[i];
                    }
                    long result = given.body().call(new Pages(instance), clean);
                    return given.results().isEmpty() ? new long[0] : new long[] {result};
                });
    }

    private static List<ValType> types(List<Number> numbers) {
        return numbers.stream()
                .map(each -> each == Number.I64 ? ValType.I64 : ValType.I32)
                .toList();
    }

    private record Pages(Instance instance) implements GuestMemory {
        @Override
        public long size() {
            return instance.memory().pages() * 65_536L;
        }

        @Override
        public byte[] read(int address, int length, int most) {
            require(address, Integer.toUnsignedLong(length));
            if (Integer.compareUnsigned(length, most) > 0) {
                throw new WasmStop(WasmEnding.TRAPPED, "too long");
            }
            return instance.memory().readBytes(address, length);
        }

        private void require(int address, long length) {
            if (Integer.toUnsignedLong(address) + length > size()) {
                throw new WasmStop(WasmEnding.TRAPPED, "an address is outside the memory");
            }
        }

        @Override
        public void write(int address, byte[] bytes) {
            require(address, bytes.length);
            instance.memory().write(address, bytes);
        }
    }

    @Override
    public void cancel(String callId) {
        Thread thread = threads.get(callId);
        if (thread != null) {
            thread.interrupt();
        }
    }
}
