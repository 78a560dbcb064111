package palyra.skills.engine.endive.internal.code;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmModule;

/**
 * Has each module compiled once, on threads of its own, because a compilation cannot be stopped:
 * few at a time, of few bytes together, and a further one is refused. Thread-safe.
 */
public final class CompileDesk implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int MOST_WAITING = 32;
    private static final long MOST_BYTES = 48L << 20;
    private static final long STACK_BYTES = 16L << 20;
    private static final long IDLE_SECONDS = 5;

    private final ModuleCompiler compiler;
    private final CodeCache cache;
    private final AtomicLong compiled = new AtomicLong();
    private final AtomicLong interpreted = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, CompletableFuture<Compiled>> open =
            new HashMap<>(); // guarded by lock
    private long bytes; // guarded by lock: of the modules in open
    private final ThreadPoolExecutor threads;

    /**
     * Makes it.
     *
     * @param cacheBytes what compiled modules may weigh together
     */
    public CompileDesk(DiskCache disk, long cacheBytes) {
        this.compiler = new ModuleCompiler(disk);
        this.cache = new CodeCache(cacheBytes);
        this.threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        work -> {
                            Thread thread =
                                    new Thread(
                                            null, work, "palyra-wasm-endive-compile", STACK_BYTES);
                            thread.setDaemon(true);
                            return thread;
                        });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns a module that is compiled already. */
    public Optional<Compiled> known(WasmModule module) {
        return cache.get(module.sha256());
    }

    /**
     * Has a module compiled, unless it is.
     *
     * @return fails with a {@link PalyraException} as {@code WasmEngine.prepare} says
     * @throws PalyraException RESOURCE_EXHAUSTED when too many modules are being compiled
     */
    public CompletableFuture<Compiled> order(WasmModule module) {
        lock.lock();
        try {
            Optional<Compiled> known = known(module);
            if (known.isPresent()) {
                return CompletableFuture.completedFuture(known.get());
            }
            CompletableFuture<Compiled> same = open.get(module.sha256());
            if (same != null) {
                return same;
            }
            if (open.size() >= THREADS + MOST_WAITING
                    || bytes + module.bytes().length > MOST_BYTES) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        open.size()
                                + " modules of "
                                + bytes
                                + " bytes are being compiled already: try again in a moment.");
            }
            CompletableFuture<Compiled> order = new CompletableFuture<>();
            threads.execute(() -> compile(module, order));
            open.put(module.sha256(), order);
            bytes += module.bytes().length;
            return order;
        } finally {
            lock.unlock();
        }
    }

    private void compile(WasmModule module, CompletableFuture<Compiled> order) {
        Compiled made = null;
        Throwable problem = null;
        try {
            made = compiler.compile(module);
            cache.put(module.sha256(), made);
            compiled.incrementAndGet();
            interpreted.addAndGet(made.interpreted());
        } catch (Throwable e) { // whatever it is, whoever waits has to hear it
            problem = e;
        }
        lock.lock();
        try {
            open.remove(module.sha256());
            bytes -= module.bytes().length;
        } finally {
            lock.unlock();
        }
        if (made != null) {
            order.complete(made);
        } else {
            order.completeExceptionally(problem);
        }
    }

    /** Returns the number of compiled modules in memory. */
    public int size() {
        return cache.size();
    }

    /** Returns what happened since the start. */
    public Counts counts() {
        return new Counts(compiled.get(), interpreted.get(), cache.evicted(), cache.weight());
    }

    /**
     * What happened since the start.
     *
     * @param compiled modules compiled or loaded
     * @param interpreted functions that were too large for a method of the JVM
     * @param evicted modules that went because of the cache's size
     * @param weight bytes that the cache holds now
     */
    public record Counts(long compiled, long interpreted, long evicted, long weight) {}

    /** Drops all code; a compilation under way ends by itself and its result is dropped. */
    @Override
    public void close() {
        threads.shutdownNow();
        lock.lock();
        try {
            PalyraException stopped =
                    new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "The engine is being stopped.");
            open.values().forEach(order -> order.completeExceptionally(stopped));
            open.clear();
        } finally {
            lock.unlock();
        }
        try {
            threads.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cache.clear();
    }
}
