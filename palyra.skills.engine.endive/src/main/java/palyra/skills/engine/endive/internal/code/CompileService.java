package palyra.skills.engine.endive.internal.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
import palyra.shared.deadline.Deadlines;

/**
 * Has each module compiled once, for all who wait for it, each in a process of its own: few at a
 * time, of few bytes together, and a further one is refused. A compilation that is not waited for
 * any more is ended with its process. Thread-safe; nothing but {@link Order#code} waits.
 */
public final class CompileService implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int MOST_WAITING = 32;
    private static final long MOST_BYTES = 48L << 20;

    /** These threads decode the bodies that are interpreted, whose blocks nest. */
    private static final long STACK_BYTES = 2L << 20;

    private static final long IDLE_SECONDS = 5;
    private static final int MOST_REFUSALS = 256;

    private final ModuleCompiler compiler;
    private final CompilerStarter start;
    private final CompileLimits budget;
    private final Deadlines deadlines;
    private final CodeCache cache;
    private final AtomicLong compiled = new AtomicLong();
    private final AtomicLong interpreted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Job> open = new HashMap<>(); // guarded by lock
    private long bytes; // guarded by lock: of the modules in open
    private final Map<String, PalyraException> refusals =
            new LinkedHashMap<>(16, 0.75f, true) { // guarded by lock; least used first
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, PalyraException> eldest) {
                    return size() > MOST_REFUSALS;
                }
            };
    private final ThreadPoolExecutor threads;

    /**
     * Makes it.
     *
     * @param disk where compiled code is kept over restarts
     * @param cacheBytes what compiled modules may weigh together
     * @param start starts the compiler's process
     * @param budget what one compilation may take
     * @param deadlines ends what takes too long
     */
    public CompileService(
            DiskCache disk,
            long cacheBytes,
            CompilerStarter start,
            CompileLimits budget,
            Deadlines deadlines) {
        this.compiler = new ModuleCompiler(disk, budget);
        this.start = start;
        this.budget = budget;
        this.deadlines = deadlines;
        this.cache = new CodeCache(cacheBytes);
        this.threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(), // bounded by the number of open compilations
                        work -> {
                            Thread thread =
                                    new Thread(
                                            null, work, "palyra-wasm-endive-compile", STACK_BYTES);
                            thread.setDaemon(true);
                            return thread;
                        });
        threads.allowCoreThreadTimeOut(true);
    }

    /** A module that is being compiled, for all who wait for it. */
    private final class Job {
        private final WasmModule module;
        private final CompilerProcess run;
        private final CompletableFuture<Compiled> code = new CompletableFuture<>();
        private final Runnable work = () -> compile(this);
        private int waiting; // guarded by lock

        Job(WasmModule module) {
            this.module = module;
            this.run = new CompilerProcess(module, start, budget, deadlines);
        }
    }

    /** A waiter for a module. Closing it cancels the wait. */
    public final class Order implements AutoCloseable {
        private final CompletableFuture<Compiled> code;
        private Job job; // guarded by lock; null when there is nothing to end

        private Order(CompletableFuture<Compiled> code, Job job) {
            this.code = code;
            this.job = job;
        }

        /** Returns the code; fails with a {@link PalyraException} as the engine's prepare says. */
        public CompletableFuture<Compiled> code() {
            return code;
        }

        @Override
        public void close() {
            Job unwanted = null;
            lock.lock();
            try {
                if (job != null && --job.waiting == 0 && open.remove(job.module.sha256(), job)) {
                    bytes -= job.module.bytes().length;
                    unwanted = job;
                }
                job = null;
            } finally {
                lock.unlock();
            }
            if (unwanted != null) {
                unwanted.run.stop(CompilerProcess.Stop.LEFT);
                threads.remove(unwanted.work);
            }
        }
    }

    /**
     * Compiles a module unless it is compiled already. The caller closes the returned waiter.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED when too many modules are being compiled
     */
    public Order order(WasmModule module) {
        lock.lock();
        try {
            Optional<Compiled> known = cache.get(module.sha256());
            if (known.isPresent()) {
                return new Order(CompletableFuture.completedFuture(known.get()), null);
            }
            PalyraException refusal = refusals.get(module.sha256());
            if (refusal != null) {
                return new Order(CompletableFuture.failedFuture(refusal), null);
            }
            Job job = open.get(module.sha256());
            if (job == null) {
                job = begun(module);
            }
            job.waiting++;
            return new Order(job.code, job);
        } finally {
            lock.unlock();
        }
    }

    /** Called with the lock. */
    private Job begun(WasmModule module) {
        if (open.size() >= THREADS + MOST_WAITING || bytes + module.bytes().length > MOST_BYTES) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    open.size()
                            + " modules of "
                            + bytes
                            + " bytes are being compiled already: try again in a moment.");
        }
        Job job = new Job(module);
        threads.execute(job.work);
        open.put(module.sha256(), job);
        bytes += module.bytes().length;
        return job;
    }

    private void compile(Job job) {
        Compiled made = null;
        Throwable problem = null;
        try {
            made = compiler.compile(job.module, job.run);
            compiled.incrementAndGet();
            interpreted.addAndGet(made.interpreted());
        } catch (CompileRefusedException e) {
            refused.incrementAndGet();
            problem = e.asPalyra();
        } catch (InterruptedException e) {
            problem =
                    new PalyraException(
                            ErrorCode.TOOL_UNAVAILABLE, "The engine is being stopped.", e);
        } catch (Throwable e) { // waiters must get every failure
            problem = e;
        }
        finish(job, made, problem);
        if (made != null) {
            job.code.complete(made);
        } else {
            job.code.completeExceptionally(problem);
        }
    }

    private void finish(Job job, Compiled made, Throwable problem) {
        lock.lock();
        try {
            String digest = job.module.sha256();
            if (made != null) {
                cache.put(digest, made);
            } else if (problem instanceof PalyraException palyra
                    && palyra.getCause() instanceof CompileRefusedException) {
                refusals.put(digest, palyra);
            }
            if (open.remove(digest, job)) {
                bytes -= job.module.bytes().length;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Restarts compilations whose sandbox is removed. */
    public void leaveSandbox() {
        runs().forEach(run -> run.stop(CompilerProcess.Stop.SANDBOX));
    }

    private List<CompilerProcess> runs() {
        lock.lock();
        try {
            List<CompilerProcess> runs = new ArrayList<>();
            open.values().forEach(job -> runs.add(job.run));
            return runs;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of compiled modules in memory. */
    public int size() {
        return cache.size();
    }

    /** Returns what happened since the start. */
    public Counts counts() {
        return new Counts(
                compiled.get(), interpreted.get(), refused.get(), cache.evicted(), cache.weight());
    }

    /**
     * Counters since the start.
     *
     * @param compiled modules compiled or loaded
     * @param interpreted functions that were too large for a method of the JVM
     * @param refused modules that took more than the budget, or were not taken
     * @param evicted modules that went because of the cache's size
     * @param weight bytes that the cache holds now
     */
    public record Counts(
            long compiled, long interpreted, long refused, long evicted, long weight) {}

    /** Ends every compilation with its process, and drops all code. */
    @Override
    public void close() {
        List<Job> left;
        lock.lock();
        try {
            left = new ArrayList<>(open.values());
            open.clear();
            bytes = 0;
        } finally {
            lock.unlock();
        }
        left.forEach(job -> job.run.stop(CompilerProcess.Stop.CLOSED));
        threads.shutdownNow();
        PalyraException stopped =
                new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "The engine is being stopped.");
        left.forEach(job -> job.code.completeExceptionally(stopped));
        try {
            threads.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cache.clear();
    }
}
