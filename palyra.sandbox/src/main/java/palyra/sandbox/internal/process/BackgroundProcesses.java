package palyra.sandbox.internal.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.LoopView;
import palyra.sandbox.internal.process.BackgroundProcess.Owner;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.run.Stop;
import palyra.sandbox.internal.run.Threads;
import palyra.shared.hash.Ulids;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Processes that go on after the call that started them. The run that started a process can use it;
 * it ends with that run. One that outlives its run can be used by all runs of the session on behalf
 * of the same principal, and ends with the session. Each is also ended when it is not asked for for
 * a while, at its deadline, and when this bundle stops. Each has its own thread. Thread-safe.
 */
public final class BackgroundProcesses implements AutoCloseable {
    /** Most processes known, ended ones that were not asked for included. */
    static final int MOST = 256;

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Runner runner;
    private final Supplier<SandboxSettings> settings;
    private final OwnerLife life;
    private final Ulids ids = new Ulids();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, BackgroundProcess> known = new LinkedHashMap<>(); // guarded by lock
    private boolean closed; // guarded by lock
    private final SupervisedLoop clock;

    /**
     * Creates it with its one thread, which ends with {@link #close}.
     *
     * @param life asked once a second about each process that runs
     */
    public BackgroundProcesses(Runner runner, Supplier<SandboxSettings> settings, OwnerLife life) {
        this.runner = runner;
        this.life = life;
        this.settings = settings;
        LoopSpec spec = LoopSpec.of("palyra-sandbox-background-clock", "palyra.sandbox");
        this.clock = SupervisedLoop.every(spec, LOOK, this::endUnwanted).start();
    }

    /**
     * Starts a process and returns when it runs.
     *
     * @param outlivesRun whether it goes on when its run ends
     * @throws PalyraException as {@link Runner#start}; RESOURCE_EXHAUSTED when the run has too many
     * @throws InterruptedException when the thread was interrupted; then the process is ended
     */
    BackgroundProcess start(Owner owner, boolean outlivesRun, PreparedCommand prepared)
            throws InterruptedException {
        BackgroundProcess process =
                new BackgroundProcess(
                        BackgroundProcess.PREFIX + ids.next(), owner, outlivesRun, prepared);
        try {
            enter(process, owner);
        } catch (PalyraException e) {
            prepared.close();
            throw e;
        }
        Threads.start("run-" + process.id(), () -> run(process));
        try {
            process.started().get();
            return process;
        } catch (InterruptedException e) {
            process.stop(Stop.CANCELLED);
            throw e;
        } catch (ExecutionException | CancellationException e) {
            throw e.getCause() instanceof PalyraException refused
                    ? refused
                    : new PalyraException(ErrorCode.INTERNAL, "The process could not start.", e);
        }
    }

    private void enter(BackgroundProcess process, Owner owner) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The sandboxes are being replaced or removed.");
            }
            forgetEnded();
            long its =
                    known.values().stream()
                            .filter(one -> one.usableBy(owner) && one.result().isEmpty())
                            .count();
            int most = settings.get().maxBackground();
            if (its >= most || known.size() >= MOST) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "This run has "
                                + its
                                + " background processes, and at most "
                                + most
                                + " are allowed; stop one first.");
            }
            known.put(process.id(), process);
        } finally {
            lock.unlock();
        }
    }

    /** Makes room: the oldest that have ended go first. Called under the lock. */
    private void forgetEnded() {
        Iterator<BackgroundProcess> oldest = known.values().iterator();
        while (known.size() >= MOST && oldest.hasNext()) {
            if (oldest.next().result().isPresent()) {
                oldest.remove();
            }
        }
    }

    private void run(BackgroundProcess process) {
        try (PreparedCommand prepared = process.prepared()) {
            LiveRun live = runner.start(prepared.order());
            if (live.spawned()) {
                process.onStarted(live);
            }
            process.ended(live, live.await());
            process.onStarted(live); // a caller that waits for the start sees the result
        } catch (RuntimeException | Error e) {
            forget(process);
            process.started().completeExceptionally(e);
        }
    }

    /** Forgets a process that was not started. */
    void forget(BackgroundProcess process) {
        lock.lock();
        try {
            known.remove(process.id());
        } finally {
            lock.unlock();
        }
    }

    /** Returns a process; NOT_FOUND also when the run may not use it. */
    BackgroundProcess find(Owner owner, String id) {
        lock.lock();
        try {
            BackgroundProcess found = known.get(id);
            if (found != null && found.usableBy(owner)) {
                found.touch();
                return found;
            }
        } finally {
            lock.unlock();
        }
        List<String> there = of(owner).stream().map(BackgroundProcess::id).toList();
        throw new PalyraException(
                ErrorCode.NOT_FOUND,
                "This run has no background process '"
                        + (id.length() > 60 ? id.substring(0, 60) + "…" : id)
                        + "'; it has "
                        + (there.isEmpty() ? "none" : String.join(", ", there))
                        + ".");
    }

    /** Returns the processes that a run may use, oldest first. */
    List<BackgroundProcess> of(Owner owner) {
        lock.lock();
        try {
            return known.values().stream().filter(one -> one.usableBy(owner)).toList();
        } finally {
            lock.unlock();
        }
    }

    private void endUnwanted() {
        long silence = TimeUnit.MILLISECONDS.toNanos(settings.get().backgroundMaxMillis());
        silent(silence).forEach(process -> process.stop(Stop.UNASKED));
        for (BackgroundProcess process : running()) {
            life.over(process.owner().runId(), process.owner().sessionId(), process.outlivesRun())
                    .ifPresent(process::stop);
        }
    }

    private List<BackgroundProcess> running() {
        lock.lock();
        try {
            return known.values().stream().filter(one -> one.result().isEmpty()).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how the clock is. */
    public LoopView loop() {
        return clock.view();
    }

    /**
     * Returns running processes that were not asked for within the time; ended ones of that kind
     * are forgotten.
     */
    private List<BackgroundProcess> silent(long nanos) {
        List<BackgroundProcess> silent = new ArrayList<>();
        lock.lock();
        try {
            Iterator<BackgroundProcess> all = known.values().iterator();
            while (all.hasNext()) {
                BackgroundProcess process = all.next();
                if (process.silentFor(nanos)) {
                    if (process.result().isPresent()) {
                        all.remove();
                    } else {
                        silent.add(process);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        return silent;
    }

    /** Ends every process and the clock; the runner waits for their ends. */
    @Override
    public void close() {
        List<BackgroundProcess> all;
        lock.lock();
        try {
            closed = true;
            all = List.copyOf(known.values());
        } finally {
            lock.unlock();
        }
        all.forEach(process -> process.stop(Stop.WITHDRAWN));
        clock.stop();
        try {
            clock.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
