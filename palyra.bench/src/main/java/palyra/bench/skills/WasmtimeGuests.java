package palyra.bench.skills;

import io.github.kawamuray.wasmtime.Engine;
import io.github.kawamuray.wasmtime.Extern;
import io.github.kawamuray.wasmtime.Func;
import io.github.kawamuray.wasmtime.FuncType;
import io.github.kawamuray.wasmtime.ImportType;
import io.github.kawamuray.wasmtime.Instance;
import io.github.kawamuray.wasmtime.Memory;
import io.github.kawamuray.wasmtime.Module;
import io.github.kawamuray.wasmtime.Store;
import io.github.kawamuray.wasmtime.Val;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.core.wasm.WasmModule;

/**
 * The published wasmtime-java without a worker around it, in its usual configuration: an engine
 * that compiles to native code, as one uses it. Nothing limits a call.
 */
final class WasmtimeGuests implements Guests {
    private final Engine engine = new Engine();
    private final Map<String, Module> modules = new HashMap<>();
    private Task task;

    @Override
    public void prepare(Task next) {
        task = next;
        modules.computeIfAbsent(next.key(), key -> Module.fromBinary(engine, next.module()));
    }

    @Override
    public Answer call() {
        return call(modules.get(task.key()));
    }

    @Override
    public Answer fresh() {
        try (Module module = Module.fromBinary(engine, task.module())) {
            return call(module);
        }
    }

    private Answer call(Module module) {
        PeerHost host = new PeerHost(task.input());
        host.begin();
        List<Func> functions = new ArrayList<>();
        try (Store<Void> store = new Store<>(null, engine)) {
            Bytes bytes = new Bytes(store);
            for (ImportType one : module.imports()) {
                functions.add(function(one, host, bytes));
            }
            try (Instance instance =
                    new Instance(
                            store, module, functions.stream().map(Extern::fromFunc).toList())) {
                bytes.memory = instance.getMemory(store, "memory").orElse(null);
                return new Answer(run(store, instance), host.output());
            } finally {
                bytes.close();
                functions.forEach(Func::close);
            }
        }
    }

    private static Func function(ImportType wanted, PeerHost host, Bytes bytes) {
        PeerHost.Body body = host.body(wanted.module() + "." + wanted.name());
        FuncType type = wanted.func();
        return new Func(
                bytes.store,
                type,
                (caller, arguments, results) -> {
                    long[] numbers = new long[arguments.length];
                    for (int i = 0; i < numbers.length; i++) {
                        numbers[i] = arguments[i].i32();
                    }
                    long value = body.call(bytes, numbers);
                    if (results.length > 0) {
                        results[0] = Val.fromI32((int) value);
                    }
                });
    }

    private int run(Store<Void> store, Instance instance) {
        if (task.metered()) {
            called(store, instance, WasmModule.REFUEL, Val.fromI64(task.fuel()));
            called(store, instance, WasmModule.START);
        }
        called(store, instance, "_initialize");
        return called(store, instance, task.entry())[0].i32();
    }

    /** Calls a function when there is one of that name. */
    private static Val[] called(
            Store<Void> store, Instance instance, String export, Val... arguments) {
        Optional<Func> found = instance.getFunc(store, export);
        if (found.isEmpty()) {
            return new Val[0];
        }
        try (Func function = found.get()) {
            return function.call(store, arguments);
        }
    }

    @Override
    public void expire(long deadlineMillis) {
        throw new UnsupportedOperationException("wasmtime-java as it comes ends no call");
    }

    @Override
    public void close() {
        modules.values().forEach(Module::close);
        engine.close();
    }

    /** Memory of an instance; there is none before the instance is made. */
    private static final class Bytes implements PeerHost.Memory {
        private final Store<Void> store;
        private Memory memory;

        Bytes(Store<Void> store) {
            this.store = store;
        }

        @Override
        public byte[] read(int address, int length) {
            byte[] content = new byte[length];
            memory.buffer(store).position(address).get(content);
            return content;
        }

        @Override
        public void write(int address, byte[] content, int from, int length) {
            memory.buffer(store).position(address).put(content, from, length);
        }

        void close() {
            if (memory != null) {
                memory.close();
            }
        }
    }
}
