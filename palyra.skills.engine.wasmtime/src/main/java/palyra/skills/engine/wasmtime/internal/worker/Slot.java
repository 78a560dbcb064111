package palyra.skills.engine.wasmtime.internal.worker;

import io.github.kawamuray.wasmtime.Config;
import io.github.kawamuray.wasmtime.Engine;
import io.github.kawamuray.wasmtime.Module;
import io.github.kawamuray.wasmtime.WasmtimeException;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import palyra.skills.engine.wasmtime.internal.protocol.CallEnding;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/**
 * One thread that runs one call at a time, with a wasmtime engine of its own: an engine's epoch
 * reaches every store of it, so calls that share none can be stopped one by one.
 */
final class Slot {
    /**
     * Deepest that metering lets a module go has room in it; wasmtime allows no more than 2 MiB.
     */
    private static final long WASM_STACK = 2L << 20;

    private static final long THREAD_STACK = 8L << 20;

    /** Memories up to this size are reserved at once and never move. */
    private static final long RESERVED_BYTES = 256L << 20;

    private static final long GUARD_BYTES = 65_536;
    private static final int MOST_MODULES = 32;

    private final ModuleStore moduleStore;
    private final Slots slots;
    private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private final Map<String, CompiledModule> modules =
            new LinkedHashMap<>(16, 0.75f, true); // its thread
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private Task current; // guarded by lock
    private Engine engine; // its thread; used by others while current is set, with lock

    Slot(int number, ModuleStore moduleStore, Slots slots) {
        this.moduleStore = moduleStore;
        this.slots = slots;
        Thread thread = new Thread(null, this::serve, "palyra-wasm-slot-" + number, THREAD_STACK);
        thread.setDaemon(true);
        thread.start();
    }

    void run(Task task) {
        tasks.add(task);
    }

    boolean has(String digest) {
        return known.contains(digest);
    }

    private void serve() {
        try {
            while (true) {
                Task task = tasks.take();
                while (task != null) {
                    work(task);
                    task = slots.next(this, task);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            System.err.println("The gateway does not listen any more: " + e);
            Runtime.getRuntime().halt(4);
        }
    }

    private void work(Task task) throws IOException {
        Optional<byte[]> bytes = moduleStore.get(task.order().digest());
        if (bytes.isEmpty()) {
            task.say(Kind.NEED, new byte[0]);
            return;
        }
        long from = System.nanoTime();
        boolean compiled = has(task.order().digest());
        CompiledModule module;
        try {
            module = module(task.order().digest(), bytes.get());
        } catch (WasmtimeException | LinkException e) {
            end(
                    task,
                    CallEnding.REFUSED,
                    "wasmtime does not take the module: " + e.getMessage() + ".");
            return;
        }
        long nanos = compiled ? 0 : System.nanoTime() - from;
        if (task.order().exports().isEmpty()) {
            end(task, CallEnding.RETURNED, "");
            return;
        }
        task.say(Kind.BEGUN, new Messages.Begun(nanos).bytes());
        Messages.End end = run(task, module);
        task.say(Kind.END, end.bytes());
    }

    private static void end(Task task, CallEnding finish, String detail) throws IOException {
        task.say(Kind.END, new Messages.End(finish, 0, 0, 0, detail, 0).bytes());
    }

    private CompiledModule module(String digest, byte[] bytes) {
        if (engine == null) {
            engine = engine();
        }
        CompiledModule module = modules.get(digest);
        if (module == null) {
            Module compiled = Module.fromBinary(engine, bytes);
            module = new CompiledModule(compiled, ExportTypes.of(bytes));
            modules.put(digest, module);
            known.add(digest);
            Iterator<Map.Entry<String, CompiledModule>> oldest = modules.entrySet().iterator();
            while (modules.size() > MOST_MODULES) {
                Map.Entry<String, CompiledModule> gone = oldest.next();
                oldest.remove();
                known.remove(gone.getKey());
                gone.getValue().module().close();
            }
        }
        return module;
    }

    private static Engine engine() {
        Config config =
                new Config()
                        .epochInterruption(true)
                        .maxWasmStack(WASM_STACK)
                        .wasmSimd(false)
                        .wasmThreads(false)
                        .staticMemoryMaximumSize(RESERVED_BYTES)
                        .staticMemoryGuardSize(GUARD_BYTES)
                        .dynamicMemoryGuardSize(GUARD_BYTES);
        return new Engine(config); // which owns the configuration from here on
    }

    private Messages.End run(Task task, CompiledModule module) {
        lock.lock();
        try {
            current = task;
        } finally {
            lock.unlock();
        }
        try (Guest guest = new Guest(task, engine, module)) {
            return guest.run();
        } finally {
            lock.lock();
            try {
                current = null;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Moves the epoch on when this is the task that runs here, which ends it. */
    void interrupt(Task task) {
        lock.lock();
        try {
            if (current == task) {
                engine.incrementEpoch();
            }
        } finally {
            lock.unlock();
        }
    }
}
