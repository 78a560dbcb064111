package palyra.sandbox.internal.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;

/**
 * Runs commands in sandboxes and owns them by call id. Starts nothing in a sandbox that is absent,
 * not proved, changed, or whose proxy is dead; ends everything when it is closed. Thread-safe.
 */
public final class Runner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);
    private static final long CLOSE_MILLIS = 10_000;

    private final Backends backends;
    private final Trust trust;
    private final IntSupplier maxRunning;
    private final RunCounts counts = new RunCounts();
    private final Ended ended = new Ended();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();
    private final Map<String, LiveRun> running = new HashMap<>(); // guarded by lock
    private boolean closed; // guarded by lock

    /**
     * @param maxRunning most commands at one time, tests of sandboxes not counted
     */
    public Runner(Backends backends, Trust trust, IntSupplier maxRunning) {
        this.backends = backends;
        this.trust = trust;
        this.maxRunning = maxRunning;
    }

    /**
     * Runs a command and returns when nothing of it is left. An interruption ends it at once; what
     * it wrote so far is in the result and the interruption stays set.
     *
     * @throws PalyraException as {@link #start}
     */
    public RunResult run(RunOrder order) {
        return start(order).await();
    }

    /**
     * Starts a command; the same thread then calls {@link LiveRun#await}. A program that cannot be
     * executed and a sandbox that cannot be made are results, not exceptions.
     *
     * @throws PalyraException TOOL_UNAVAILABLE when the tier has no backend, or one that refuses,
     *     did not prove itself or was changed; DENIED when the backend never does what is asked;
     *     RESOURCE_EXHAUSTED when too many run; ALREADY_EXISTS when the call id runs. Nothing was
     *     started
     */
    public LiveRun start(RunOrder order) {
        SandboxBackend backend = backends.backend(order.tier());
        return start(order, backend);
    }

    /** Starts a command in one backend, whichever its tier would choose; as {@link #start}. */
    public LiveRun start(RunOrder order, SandboxBackend backend) {
        try {
            return begin(order, backend);
        } catch (PalyraException e) {
            counts.refused();
            throw e;
        }
    }

    private LiveRun begin(RunOrder order, SandboxBackend backend) {
        String proof = order.trial() ? "" : trust.proof(backend);
        requireProxy(order);
        Ending ending = new Ending();
        LiveRun run = new LiveRun(order, backend.executor(), ending);
        admit(run);
        boolean begun = false;
        try {
            ending.held = backends.enter(run, backend);
            backend.check(order.spec());
            spawn(run, backend, proof);
            begun = true;
            return run;
        } finally {
            if (!begun) {
                ending.withdraw(run);
            }
        }
    }

    private static void requireProxy(RunOrder order) {
        if (order.proxy().filter(proxy -> !proxy.alive()).isPresent()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The egress proxy of call "
                            + order.spec().callId()
                            + " does not answer, so nothing was started; try again.");
        }
    }

    private void admit(LiveRun run) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The sandboxes are being replaced or removed.");
            }
            if (running.containsKey(run.callId())) {
                throw new PalyraException(
                        ErrorCode.ALREADY_EXISTS,
                        "Call " + run.callId() + " runs already; it is not started twice.");
            }
            long occupied = running.values().stream().filter(other -> !other.trial()).count();
            int most = maxRunning.getAsInt();
            if (!run.trial() && occupied >= most) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        occupied
                                + " sandboxed commands run, and at most "
                                + most
                                + " may; wait for one to end.");
            }
            running.put(run.callId(), run);
        } finally {
            lock.unlock();
        }
    }

    private static void spawn(LiveRun run, SandboxBackend backend, String proof) {
        try {
            SandboxProcess process = backend.start(run.order().spec());
            run.attach(process, proof);
        } catch (PalyraException e) {
            boolean program =
                    e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.INVALID_ARGUMENT;
            run.refuse(
                    program ? RunOutcome.SPAWN_FAILED : RunOutcome.SANDBOX_FAILED, e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            LOG.error("The sandbox {} failed to start {}", backend.executor(), run.callId(), e);
            run.refuse(
                    RunOutcome.SANDBOX_FAILED,
                    "The sandbox failed before the command started: " + e);
        }
    }

    /** Takes a run out of the books when it is over. */
    private final class Ending implements java.util.function.BiConsumer<LiveRun, RunResult> {
        private Backends.Held held; // null until it entered; of the run's own thread

        @Override
        public void accept(LiveRun run, RunResult result) {
            if (result != null) {
                counts.ended(run.order().tier(), result);
                ended.keep(result);
            }
            withdraw(run);
        }

        void withdraw(LiveRun run) {
            lock.lock();
            try {
                running.remove(run.callId());
                fewer.signalAll();
            } finally {
                lock.unlock();
            }
            if (held != null) {
                backends.exit(run, held);
            }
        }
    }

    /** Returns what is known of a call. */
    public RunLookup lookup(String callId) {
        lock.lock();
        try {
            if (running.containsKey(callId)) {
                return new RunLookup.Running();
            }
        } finally {
            lock.unlock();
        }
        return ended.find(callId)
                .<RunLookup>map(RunLookup.Done::new)
                .orElseGet(RunLookup.Unknown::new);
    }

    /** Ends a running call at once; returns whether there was one. */
    public boolean cancel(String callId) {
        LiveRun run;
        lock.lock();
        try {
            run = running.get(callId);
        } finally {
            lock.unlock();
        }
        if (run != null) {
            run.stop(Stop.CANCELLED);
        }
        return run != null;
    }

    /** Returns how many run now, tests of sandboxes included. */
    public int running() {
        lock.lock();
        try {
            return running.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what happened so far. */
    public RunCounts counts() {
        return counts;
    }

    /** Starts nothing any more, ends everything at once, and waits for at most ten seconds. */
    @Override
    public void close() {
        List<LiveRun> left;
        lock.lock();
        try {
            closed = true;
            left = new ArrayList<>(running.values());
        } finally {
            lock.unlock();
        }
        left.forEach(run -> run.stop(Stop.WITHDRAWN));
        awaitNone();
    }

    private void awaitNone() {
        lock.lock();
        try {
            long nanos = TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
            while (!running.isEmpty() && nanos > 0) {
                nanos = fewer.awaitNanos(nanos);
            }
            if (!running.isEmpty()) {
                LOG.error("These runs have not ended: {}", running.keySet());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
