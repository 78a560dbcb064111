package palyra.skills.engine.wasmtime.internal.worker;

import io.github.kawamuray.wasmtime.Engine;
import io.github.kawamuray.wasmtime.Extern;
import io.github.kawamuray.wasmtime.Func;
import io.github.kawamuray.wasmtime.Instance;
import io.github.kawamuray.wasmtime.Memory;
import io.github.kawamuray.wasmtime.Store;
import io.github.kawamuray.wasmtime.Trap;
import io.github.kawamuray.wasmtime.Val;
import io.github.kawamuray.wasmtime.WasmFunctionError;
import io.github.kawamuray.wasmtime.WasmtimeException;
import java.util.List;
import java.util.Optional;
import palyra.skills.engine.wasmtime.internal.protocol.CallEnding;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/**
 * One instance in a store of its own, for one call. Nothing of a store is ever used with another
 * one, or after it is closed: both end the process.
 */
final class Guest implements AutoCloseable {
    private static final String FUEL = "palyra:fuel";
    private static final String REFUEL = "palyra:refuel";
    private static final String STOPPED = "palyra:stopped";
    private static final String START = "palyra:start";
    private static final String MEMORY = "memory";

    /** Enough for reads of an instance after its end. */
    private static final long SPARE_EPOCHS = 1L << 32;

    private final Task task;
    private final Messages.Order order;
    private final CompiledModule module;
    private final Store<Void> store;
    private final HostCalls hosts;
    private Instance instance;
    private Memory memory;

    Guest(Task task, Engine engine, CompiledModule module) {
        this.task = task;
        this.order = task.order();
        this.module = module;
        this.store = new Store<>(null, engine);
        this.hosts = new HostCalls(task, store);
    }

    Messages.End run() {
        long from = System.nanoTime();
        CallEnding finish;
        long value = 0;
        String detail = "";
        try {
            store.setEpochDeadline(1);
            if (task.cancelled()) {
                return new Messages.End(CallEnding.STOPPED, 0, 0, 0, "", 0);
            }
            open();
            value = calls();
            finish = CallEnding.RETURNED;
        } catch (LinkException e) {
            finish = CallEnding.LINK;
            detail = "The module does not fit: " + e.getMessage() + ".";
        } catch (WasmFunctionError.TrapError e) {
            finish = trapped(e.trap());
            detail = "It trapped: " + e.trap().name().toLowerCase(java.util.Locale.ROOT) + ".";
        } catch (WasmtimeException e) {
            finish = failed(e);
            detail = "It trapped: " + e.getMessage() + ".";
        } catch (RuntimeException e) {
            finish = CallEnding.FAILED;
            detail = "wasmtime failed: " + e + ".";
        }
        return end(finish, value, detail, System.nanoTime() - from);
    }

    private void open() {
        module.check(order.exports());
        List<Extern> externs = hosts.link(module.module(), order.given());
        try {
            instance = new Instance(store, module.module(), externs);
        } catch (WasmtimeException e) {
            throw e.getMessage() != null && e.getMessage().contains("incompatible import type")
                    ? new LinkException(e.getMessage())
                    : e;
        }
        memory = instance.getMemory(store, MEMORY).orElse(null);
        hosts.memory(memory);
        hosts.fuel(
                new HostCalls.ModuleFuel() {
                    @Override
                    public long left() {
                        return value(call(FUEL));
                    }

                    @Override
                    public void set(long left) {
                        call(REFUEL, Val.fromI64(left));
                    }
                });
    }

    private long calls() {
        call(REFUEL, Val.fromI64(order.fuel()));
        if (order.start()) {
            call(START);
        }
        long value = 0;
        for (String export : order.exports()) {
            value = value(call(export));
        }
        return value;
    }

    private Val[] call(String export, Val... arguments) {
        Optional<Func> found = instance.getFunc(store, export);
        if (found.isEmpty()) {
            throw new LinkException("it exports no function " + export);
        }
        try (Func function = found.get()) {
            return function.call(store, arguments);
        }
    }

    private static long value(Val[] results) {
        if (results.length == 0) {
            return 0;
        }
        return results[0].getType() == Val.Type.I64 ? results[0].i64() : results[0].i32();
    }

    private CallEnding trapped(Trap trap) {
        if (hosts.halted()) {
            return CallEnding.HALTED;
        }
        return switch (trap) {
            case INTERRUPT -> CallEnding.STOPPED;
            case STACK_OVERFLOW -> CallEnding.CALL_DEPTH;
            default -> stopped();
        };
    }

    private CallEnding failed(WasmtimeException e) {
        if (hosts.halted()) {
            return CallEnding.HALTED;
        }
        if (task.cancelled()) {
            return CallEnding.STOPPED;
        }
        String message = e.getMessage() == null ? "" : e.getMessage();
        return message.contains("Cannot allocate memory") || message.contains("mmap failed")
                ? CallEnding.OUT_OF_MEMORY
                : stopped();
    }

    /** Returns which of metering's ends it was, or that it trapped by itself. */
    private CallEnding stopped() {
        return switch ((int) ask(STOPPED, 0)) {
            case 1 -> CallEnding.OUT_OF_FUEL;
            case 2 -> CallEnding.CALL_DEPTH;
            default -> CallEnding.TRAPPED;
        };
    }

    /** Asks an instance that has ended. */
    private long ask(String export, long otherwise) {
        if (instance == null) {
            return otherwise;
        }
        try {
            store.setEpochDeadline(SPARE_EPOCHS);
            return value(call(export));
        } catch (RuntimeException e) {
            return otherwise;
        }
    }

    private Messages.End end(CallEnding finish, long value, String detail, long nanos) {
        long left = ask(FUEL, order.fuel());
        long used =
                finish == CallEnding.OUT_OF_FUEL
                        ? order.fuel()
                        : order.fuel() - Math.clamp(left, 0, order.fuel());
        int pages = memory == null ? 0 : memory.size(store);
        return new Messages.End(finish, value, used, pages, detail, nanos);
    }

    @Override
    public void close() {
        if (memory != null) {
            memory.close();
        }
        if (instance != null) {
            instance.close();
        }
        hosts.close();
        store.close();
    }
}
