package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.core.wasm.WasmEngineView;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.PagePool;

/**
 * wasmtime as an engine, in a worker process. Only for modules that an operator marked as trusted.
 */
public final class WasmtimeEngine implements WasmEngine, AutoCloseable {
    /** The engine's id. */
    public static final String ID = "wasmtime";

    private static final long IDLE_SECONDS = 10;
    private static final long CLOSE_MILLIS = 1_800;
    private static final long TIDY_MILLIS = 10_000;
    private static final long PREPARE_MILLIS = 60_000;

    private final String version;
    private final WasmtimeSettings settings;
    private final WorkerStarter start;
    private final Workers workers;
    private final CallDeadlines deadlines = new CallDeadlines();
    private final ThreadPoolExecutor threads;
    private final AtomicLong numbers = new AtomicLong();
    private final CompiledDigests compiled = new CompiledDigests();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, RemoteCall> calls = new HashMap<>(); // guarded by lock
    private final CallSlots callSlots; // guarded by lock
    private final PagePool pool;
    private boolean stopping; // guarded by lock

    /**
     * Makes an engine; the worker is started by the first call.
     *
     * @param version of the binding, for attestations
     */
    public WasmtimeEngine(
            WasmtimeSettings settings, WorkerFiles files, WorkerStarter start, String version) {
        this.settings = settings;
        this.start = start;
        this.version = version;
        this.workers = new Workers(files, start, settings);
        this.callSlots = new CallSlots(settings);
        this.pool = new PagePool(settings.pages());
        AtomicInteger number = new AtomicInteger();
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE, // the budget bounds them
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        work -> {
                            Thread thread =
                                    new Thread(
                                            work,
                                            "palyra-wasm-wasmtime-" + number.incrementAndGet());
                            thread.setDaemon(true);
                            return thread;
                        });
        deadlines.every(Math.min(TIDY_MILLIS, settings.idleMillis()), workers::tidy);
    }

    @Override
    public WasmEngineView view() {
        String problem = problem();
        String around = workers.isolation();
        lock.lock();
        try {
            return new WasmEngineView(
                    ID,
                    version,
                    "process=worker" + (around.isEmpty() ? " tier=b" : " " + around),
                    false,
                    problem.isEmpty(),
                    problem,
                    calls.size(),
                    workers.running() ? compiled.size() : 0);
        } finally {
            lock.unlock();
        }
    }

    /** Returns why no call is taken now; empty when calls are taken. */
    private String problem() {
        lock.lock();
        try {
            if (stopping) {
                return "The engine wasmtime is being stopped: try again in a moment.";
            }
        } finally {
            lock.unlock();
        }
        if (!settings.enabled()) {
            return "The engine wasmtime is switched off: set enabled of"
                    + " palyra.skills.engine.wasmtime to true.";
        }
        return start.problem();
    }

    private void unlessProblem() {
        String problem = problem();
        if (!problem.isEmpty()) {
            throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, problem);
        }
    }

    @Override
    public void prepare(WasmModule module) {
        unlessProblem();
        long number = numbers.incrementAndGet();
        WasmCall call =
                new WasmCall("prepare-" + number, module, List.of("none"), 1, PREPARE_MILLIS);
        CompletableFuture<WasmResult> done = new CompletableFuture<>();
        RemoteCall order =
                new RemoteCall(
                        new PendingCall(call, done::complete),
                        new WasmHost(List.of()),
                        number,
                        true,
                        workers,
                        deadlines,
                        pool.claim(0),
                        () -> {});
        execute(order);
        try {
            WasmResult result = done.get();
            if (result.ending() != WasmEnding.RETURNED) {
                throw new PalyraException(
                        result.ending() == WasmEnding.REFUSED
                                ? ErrorCode.INVALID_ARGUMENT
                                : ErrorCode.TOOL_UNAVAILABLE,
                        result.detail());
            }
            compiled.add(module.sha256());
        } catch (InterruptedException e) {
            deadlines.stop(order, WasmEnding.CANCELLED);
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED, "Waiting for the worker was interrupted.", e);
        } catch (ExecutionException e) {
            throw new PalyraException(ErrorCode.INTERNAL, "Compiling failed: " + e, e);
        }
    }

    @Override
    public void start(WasmCall call, WasmHost host, Consumer<WasmResult> sink) {
        unlessProblem();
        PendingCall pendingCall =
                new PendingCall(
                        call,
                        result -> {
                            compiled.note(call.module().sha256(), result.ending());
                            sink.accept(result);
                        });
        RemoteCall remote =
                new RemoteCall(
                        pendingCall,
                        host,
                        numbers.incrementAndGet(),
                        false,
                        workers,
                        deadlines,
                        pool.claim(call.module().memoryPages()),
                        () -> giveBack(call));
        lock.lock();
        try {
            if (stopping) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The engine wasmtime is being stopped.");
            }
            if (calls.containsKey(call.callId())) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The call " + call.callId() + " runs already: use another id.");
            }
            callSlots.acquire(call.module().memoryPages());
            calls.put(call.callId(), remote);
        } finally {
            lock.unlock();
        }
        try {
            execute(remote);
        } catch (RuntimeException e) {
            giveBack(call);
            throw e;
        }
    }

    private void execute(RemoteCall call) {
        try {
            threads.execute(call);
        } catch (RuntimeException | OutOfMemoryError e) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED, "No thread can be had for the call: " + e, e);
        }
    }

    private void giveBack(WasmCall call) {
        lock.lock();
        try {
            if (calls.remove(call.callId()) != null) {
                callSlots.release();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel(String callId) {
        RemoteCall call;
        lock.lock();
        try {
            call = calls.get(callId);
        } finally {
            lock.unlock();
        }
        if (call != null) {
            deadlines.stop(call, WasmEnding.CANCELLED);
        }
    }

    /**
     * Ends the worker and its calls because what confines it goes; the next call starts another.
     */
    public void leaveSandbox() {
        endCalls();
        workers.restart();
    }

    private void endCalls() {
        List<RemoteCall> left;
        lock.lock();
        try {
            left = List.copyOf(calls.values());
        } finally {
            lock.unlock();
        }
        left.forEach(call -> deadlines.stop(call, WasmEnding.ENGINE_STOPPED));
    }

    /** Returns the worker's confinement; empty without a worker. */
    public String worker() {
        return workers.isolation();
    }

    /** Returns how many workers died. */
    public long deaths() {
        return workers.deaths();
    }

    /** Returns how the thread is that ends calls in time. */
    public LoopView loop() {
        return deadlines.loop();
    }

    /** Ends every call ENGINE_STOPPED, the worker and all threads, within two seconds. */
    @Override
    public void close() {
        lock.lock();
        try {
            stopping = true;
        } finally {
            lock.unlock();
        }
        endCalls();
        workers.close();
        threads.shutdown();
        try {
            threads.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
        deadlines.close();
    }
}
