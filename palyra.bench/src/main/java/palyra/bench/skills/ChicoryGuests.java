package palyra.bench.skills;

import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The published Chicory with its compiler, as one uses it: the compiled module is kept, each call
 * has a new instance, and nothing limits what that does unless the module was metered before.
 */
final class ChicoryGuests implements Guests {
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1);
    private final Map<String, Ready> kept = new HashMap<>();
    private Task task;
    private Ready ready;

    /** What is kept of a module. */
    private record Ready(
            WasmModule module,
            Function<Instance, Machine> machines,
            ImportValues imports,
            PeerHost host,
            Set<String> exports) {}

    @Override
    public void prepare(Task next) {
        task = next;
        ready = kept.computeIfAbsent(next.key(), key -> ready(next));
    }

    private static Ready ready(Task task) {
        WasmModule module = Parser.parse(task.module());
        PeerHost host = new PeerHost(task.input());
        Set<String> exports = new HashSet<>();
        for (int i = 0; i < module.exportSection().exportCount(); i++) {
            if (module.exportSection().getExport(i).exportType() == ExternalType.FUNCTION) {
                exports.add(module.exportSection().getExport(i).name());
            }
        }
        return new Ready(
                module, MachineFactoryCompiler.compile(module), link(module, host), host, exports);
    }

    private static ImportValues link(WasmModule module, PeerHost host) {
        List<ImportFunction> functions =
                module.importSection().stream()
                        .map(FunctionImport.class::cast)
                        .map(each -> function(module, each, host))
                        .toList();
        return ImportValues.builder().withFunctions(functions).build();
    }

    private static ImportFunction function(
            WasmModule module, FunctionImport wanted, PeerHost host) {
        PeerHost.Body body = host.body(wanted.module() + "." + wanted.name());
        FunctionType type = module.typeSection().getType(wanted.typeIndex());
        boolean result = !type.returns().isEmpty();
        return new HostFunction(
                wanted.module(),
                wanted.name(),
                type,
                (instance, arguments) -> {
                    long value = body.call(new Bytes(instance.memory()), arguments);
                    return result ? new long[] {value} : null;
                });
    }

    /** Memory of an instance. */
    private record Bytes(Memory memory) implements PeerHost.Memory {
        @Override
        public byte[] read(int address, int length) {
            return memory.readBytes(address, length);
        }

        @Override
        public void write(int address, byte[] content, int from, int length) {
            memory.write(address, content, from, length);
        }
    }

    @Override
    public Answer call() {
        return call(ready);
    }

    @Override
    public Answer fresh() {
        return call(ready(task));
    }

    private Answer call(Ready made) {
        made.host().begin();
        Instance instance =
                Instance.builder(made.module())
                        .withMachineFactory(made.machines())
                        .withImportValues(made.imports())
                        .withMemoryFactory(ByteArrayMemory::new)
                        .build();
        if (task.metered()) {
            instance.export(palyra.api.core.wasm.WasmModule.REFUEL).apply(task.fuel());
        }
        for (String first : new String[] {palyra.api.core.wasm.WasmModule.START, "_initialize"}) {
            if (made.exports().contains(first)) {
                instance.export(first).apply();
            }
        }
        return new Answer((int) instance.export(task.entry()).apply()[0], made.host().output());
    }

    @Override
    public void expire(long deadlineMillis) {
        Thread caller = Thread.currentThread();
        Future<?> end = clock.schedule(caller::interrupt, deadlineMillis, TimeUnit.MILLISECONDS);
        try {
            call(ready);
            throw new IllegalStateException(task.name() + " came to an end by itself");
        } catch (ChicoryInterruptedException e) {
            Thread.interrupted();
        } catch (ChicoryException e) {
            throw new IllegalStateException(task.name() + " failed before its deadline", e);
        } finally {
            end.cancel(false);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
