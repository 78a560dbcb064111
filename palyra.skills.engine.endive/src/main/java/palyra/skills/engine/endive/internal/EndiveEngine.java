package palyra.skills.engine.endive.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
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
import palyra.shared.deadline.Deadlines;
import palyra.shared.wasm.PagePool;
import palyra.skills.engine.endive.internal.code.CompileService;
import palyra.skills.engine.endive.internal.code.CompilerStarter;
import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.skills.engine.endive.internal.run.CallDeadlines;
import palyra.skills.engine.endive.internal.run.CallSlots;
import palyra.skills.engine.endive.internal.run.Execution;
import palyra.skills.engine.endive.internal.run.RunningCall;

/**
 * Endive as an engine. Modules are compiled in processes of their own and run in this JVM. A call
 * has a platform thread of its own from a pool, with a stack of known size; a call that is to end
 * is interrupted, which compiled code notices at every loop.
 */
public final class EndiveEngine implements WasmEngine, AutoCloseable {
    /** The engine's id. */
    public static final String ID = "endive";

    private static final long IDLE_SECONDS = 10;
    private static final long CLOSE_MILLIS = 1_800;

    /** Compilations of others whose processor time preparing a module waits for, before its own. */
    private static final int MOST_OTHERS = 7;

    private final String version;
    private final CompilerStarter compiler;
    private final long prepareMillis;
    private final CompileService desk;
    private final CallSlots callSlots;
    private final PagePool pool;
    private final CallDeadlines deadlines = new CallDeadlines();
    private final ThreadPoolExecutor threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, RunningCall> calls = new HashMap<>(); // guarded by lock
    private boolean stopping; // guarded by lock

    /**
     * Makes an engine.
     *
     * @param version of Endive, for attestations
     * @param disk where compiled code is kept over restarts
     * @param compiler starts the compiler's process
     */
    public EndiveEngine(
            EndiveSettings settings, DiskCache disk, CompilerStarter compiler, String version) {
        this.version = version;
        this.compiler = compiler;
        this.prepareMillis =
                MOST_OTHERS * settings.compile().cpuMillis() + settings.compile().wallMillis();
        this.desk =
                new CompileService(
                        disk,
                        settings.cacheBytes(),
                        compiler,
                        settings.compile(),
                        deadlines.deadlines());
        this.callSlots = new CallSlots(settings.calls());
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
                                            null,
                                            work,
                                            "palyra-wasm-endive-" + number.incrementAndGet(),
                                            settings.stackBytes());
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    @Override
    public WasmEngineView view() {
        lock.lock();
        try {
            return new WasmEngineView(
                    ID,
                    version,
                    "process=gateway compiler=" + compiler.confinement(),
                    true,
                    !stopping,
                    stopping ? "The engine is being stopped: try again in a moment." : "",
                    calls.size(),
                    desk.size());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void prepare(WasmModule module) {
        unlessStopping();
        try (CompileService.Order order = desk.order(module)) {
            order.code().get(prepareMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw Execution.asPalyra(e);
        } catch (TimeoutException e) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Module "
                            + module.sha256()
                            + " was not compiled within "
                            + TimeUnit.MILLISECONDS.toSeconds(prepareMillis)
                            + " s, because others are before it: try again in a moment.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED, "Waiting for the compiler was interrupted.", e);
        }
    }

    @Override
    public void start(WasmCall call, WasmHost host, Consumer<WasmResult> sink) {
        unlessStopping();
        CompileService.Order order = desk.order(call.module());
        boolean started = false;
        try {
            start(new RunningCall(call, sink), host, order);
            started = true;
        } finally {
            if (!started) {
                order.close();
            }
        }
    }

    private void start(RunningCall running, WasmHost host, CompileService.Order order) {
        WasmCall call = running.call();
        lock.lock();
        try {
            refuseIfStopping();
            if (calls.containsKey(call.callId())) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The call " + call.callId() + " runs already: use another id.");
            }
            callSlots.acquire();
            calls.put(call.callId(), running);
        } finally {
            lock.unlock();
        }
        Deadlines.Deadline deadline = deadlines.at(running, call.timeoutMillis());
        try {
            threads.execute(
                    new Execution(running, host, order, deadline, pool, () -> giveBack(running)));
        } catch (RuntimeException | OutOfMemoryError e) { // of threads, which ends no JVM
            deadline.cancel();
            giveBack(running);
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED, "No thread can be had for the call: " + e, e);
        }
    }

    private void unlessStopping() {
        lock.lock();
        try {
            refuseIfStopping();
        } finally {
            lock.unlock();
        }
    }

    private void refuseIfStopping() {
        if (stopping) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The engine endive is being stopped: try again in a moment.");
        }
    }

    private void giveBack(RunningCall running) {
        lock.lock();
        try {
            if (calls.remove(running.call().callId(), running)) {
                callSlots.release();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cancel(String callId) {
        RunningCall running;
        lock.lock();
        try {
            running = calls.get(callId);
        } finally {
            lock.unlock();
        }
        if (running != null) {
            deadlines.stop(running, WasmEnding.CANCELLED);
        }
    }

    /** Returns what the compiler did. */
    public CompileService.Counts counts() {
        return desk.counts();
    }

    /** Restarts compilations whose sandbox is removed. */
    public void leaveSandbox() {
        desk.leaveSandbox();
    }

    /** Returns the pages that running calls hold. */
    public int pages() {
        return pool.held();
    }

    /** Returns how the thread is that ends calls in time. */
    public LoopView loop() {
        return deadlines.loop();
    }

    /**
     * Ends every call ENGINE_STOPPED and gives back threads and classes, within two seconds. A call
     * whose host function does not return gets its result without it; its thread ends with the
     * function.
     */
    @Override
    public void close() {
        List<RunningCall> left;
        lock.lock();
        try {
            stopping = true;
            left = List.copyOf(calls.values());
        } finally {
            lock.unlock();
        }
        left.forEach(running -> deadlines.stop(running, WasmEnding.ENGINE_STOPPED));
        desk.close();
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
