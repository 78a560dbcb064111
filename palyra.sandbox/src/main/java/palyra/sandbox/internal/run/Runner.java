package palyra.sandbox.internal.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.internal.git.GitProtection;

/**
 * Runs commands in sandboxes and owns them by call id. Starts nothing in a sandbox that is absent,
 * not proved, changed, or whose proxy is dead; ends what could reach a port of the gateway, and
 * everything when it is closed. Thread-safe.
 */
public final class Runner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);
    private static final long CLOSE_MILLIS = 10_000;

    /** How often a backend may be replaced while a command waits for it. */
    private static final int REPLACEMENTS = 3;

    private final Backends backends;
    private final BackendTrust trust;
    private final IntSupplier maxRunning;
    private final RunCounts counts = new RunCounts();
    private final RecentResults ended = new RecentResults();

    private final OwnPorts ownPorts;
    private final DiskUsageTracker disks;
    private final DiskUsageTracker sessionDisks;
    private final Function<LiveRun, GitProtection.Call> git;
    private final RunningCommands running = new RunningCommands();

    /**
     * Creates one for a gateway that listens nowhere.
     *
     * @param maxRunning most commands at one time, tests of sandboxes not counted
     */
    public Runner(Backends backends, BackendTrust trust, IntSupplier maxRunning) {
        this(backends, trust, maxRunning, new OwnPorts());
    }

    /** Creates one whose workspaces are not bounded. */
    public Runner(
            Backends backends, BackendTrust trust, IntSupplier maxRunning, OwnPorts ownPorts) {
        this(
                backends,
                trust,
                maxRunning,
                ownPorts,
                () -> DiskQuota.NONE,
                () -> DiskQuota.NONE,
                any -> GitProtection.Call.NONE);
    }

    /**
     * Creates one.
     *
     * @param maxRunning most commands at one time, tests of sandboxes not counted
     * @param ownPorts ports that no command may reach. A sandbox keeps a command from those that
     *     were known at its start; one that shares the host's network is ended before the
     *     announcement of a further port returns
     * @param quota what a workspace may hold; tests of sandboxes have no bound
     * @param sessionQuota what the folders of a session's sandbox may hold
     * @param git begins to protect repositories from a command; not asked for tests of sandboxes
     */
    public Runner(
            Backends backends,
            BackendTrust trust,
            IntSupplier maxRunning,
            OwnPorts ownPorts,
            Supplier<DiskQuota> quota,
            Supplier<DiskQuota> sessionQuota,
            Function<LiveRun, GitProtection.Call> git) {
        this.backends = backends;
        this.trust = trust;
        this.maxRunning = maxRunning;
        this.ownPorts = ownPorts;
        this.disks = new DiskUsageTracker(quota);
        this.sessionDisks = new DiskUsageTracker(sessionQuota);
        this.git = git;
        ownPorts.onChange(this::endWhatLacksPorts);
    }

    /**
     * Refuses bytes that a workspace has no room for: what a tool writes counts like what commands
     * do.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED
     */
    public void requireRoom(Path workspace, long bytes) {
        disks.requireRoom(workspace.toString(), bytes);
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
     * Waits while the sandbox of a tier is being tested. Call it before anything is opened for a
     * command: what the command needs may have a short life. A tier without a sandbox is the
     * business of {@link #start}.
     *
     * @param mostMillis how long the call can wait
     * @throws PalyraException TOOL_UNAVAILABLE when the test takes longer
     */
    public void awaitTest(Tier tier, long mostMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
        for (int left = REPLACEMENTS; left > 0; left--) {
            SandboxBackend backend;
            try {
                backend = backends.awaited(tier);
            } catch (PalyraException e) {
                return;
            }
            trust.awaitTest(
                    backend, Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            if (backends.isPresent(backend)) {
                return;
            }
        }
    }

    /**
     * Starts a command; the same thread then calls {@link LiveRun#await}. A program that cannot be
     * executed and a sandbox that cannot be made are results, not exceptions.
     *
     * @throws PalyraException TOOL_UNAVAILABLE when the tier has no backend, or one that refuses,
     *     did not prove itself or was changed; DENIED when the backend does not support the
     *     request; RESOURCE_EXHAUSTED when too many run; ALREADY_EXISTS when the call id runs.
     *     Nothing was started
     */
    public LiveRun start(RunOrder order) {
        for (int left = REPLACEMENTS; ; left--) {
            SandboxBackend backend = backends.awaited(order.tier());
            try {
                return start(order, backend);
            } catch (PalyraException e) {
                boolean replaced = !backends.isPresent(backend) || isLooking(backend);
                if (e.code() != ErrorCode.TOOL_UNAVAILABLE || !replaced || left == 0) {
                    throw e;
                }
            }
        }
    }

    /** Whether what it needs was replaced between its proof and the start. */
    private static boolean isLooking(SandboxBackend backend) {
        return backend.status().state() == BackendStatus.State.PROBING;
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

    private LiveRun begin(RunOrder given, SandboxBackend backend) {
        Optional<DiskMonitor> disk = disk(given);
        RunOrder order =
                disk.filter(DiskMonitor::isFull).isPresent() ? given.writingLittle() : given;
        String proof = proof(order, backend);
        requireProxy(order);
        Ending ending = new Ending();
        LiveRun run = new LiveRun(order, disk, backend.executor(), ending);
        running.admit(run, maxRunning.getAsInt());
        boolean begun = false;
        try {
            requirePortsKept(run); // from here on the announcement of a port finds this run
            ending.held = backends.enter(run, backend);
            backend.check(order.spec());
            if (!order.trial()) {
                run.protect(git.apply(run));
            }
            spawn(run, backend, proof);
            begun = true;
            return run;
        } finally {
            if (!begun) {
                run.withdraw();
                ending.withdraw(run);
            }
        }
    }

    private String proof(RunOrder order, SandboxBackend backend) {
        if (order.trial()) {
            return "";
        }
        return order.spec().shared().isPresent()
                ? trust.sharedProof(backend)
                : trust.proof(backend);
    }

    private Optional<DiskMonitor> disk(RunOrder order) {
        if (order.trial()) {
            return Optional.empty();
        }
        return Optional.of(
                order.holds()
                        ? disks.monitor(order.spec()).patient().and(sessionFolders(order.spec()))
                        : disks.monitor(order.spec()));
    }

    /** Watches the folders that the commands of a session share. */
    private DiskMonitor sessionFolders(SandboxSpec spec) {
        Path folder = Path.of(spec.shared().orElseThrow().home()).getParent();
        return sessionDisks.monitor(spec, folder, Stop.SESSION_FULL);
    }

    private static void requireProxy(RunOrder order) {
        if (order.proxy().filter(proxy -> !proxy.alive()).isPresent()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The egress proxy of call "
                            + order.spec().callId()
                            + " does not answer, so the command was not started; try again.");
        }
    }

    /** The list of a sandbox is fixed when it starts; what was announced meanwhile is not in it. */
    private void requirePortsKept(LiveRun run) {
        if (lacksPorts(run)) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The gateway has just opened a port that call "
                            + run.callId()
                            + " would not be kept from, so it was not started; try again.");
        }
    }

    private boolean lacksPorts(LiveRun run) {
        SandboxSpec spec = run.order().spec();
        return !run.trial()
                && spec.egress() != Egress.STRICT
                && !spec.forbiddenPorts().containsAll(ownPorts.open());
    }

    /**
     * Ends every command that could reach a port that the gateway opened after the command's start.
     */
    private void endWhatLacksPorts() {
        running.all().stream().filter(this::lacksPorts).forEach(run -> run.stop(Stop.PORT_OPENED));
    }

    private static void spawn(LiveRun run, SandboxBackend backend, String proof) {
        try {
            SandboxSpec spec = run.order().spec();
            SandboxProcess process = run.order().holds() ? backend.hold(spec) : backend.start(spec);
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

    /**
     * Returns whether commands cannot enter the sandbox of a session any more, because it has ended
     * or its tier has another backend now; then it is given to no further command.
     */
    public boolean isLost(LiveRun holder) {
        if (holder.hasEnded()) {
            holder.stop(Stop.SANDBOX_ENDED);
        } else if (!backends.isInPresent(holder)) {
            holder.stop(Stop.WITHDRAWN);
        }
        return holder.stopped().isPresent();
    }

    /** Ends every command that has a way to the network, before what opened it goes. */
    public void withdrawProxies() {
        running.all().stream()
                .filter(run -> run.order().proxy().isPresent())
                .forEach(run -> run.stop(Stop.PROXY_WITHDRAWN));
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
            running.remove(run);
            if (held != null) {
                backends.exit(run, held);
            }
        }
    }

    /** Looks a call up. */
    public RunLookup lookup(String callId) {
        if (running.find(callId) != null) {
            return new RunLookup.Running();
        }
        return ended.find(callId)
                .<RunLookup>map(RunLookup.Done::new)
                .orElseGet(RunLookup.Unknown::new);
    }

    /** Ends a running call at once; returns whether there was one. */
    public boolean cancel(String callId) {
        LiveRun run = running.find(callId);
        if (run != null) {
            run.stop(Stop.CANCELLED);
        }
        return run != null;
    }

    /**
     * Ends every command that runs in a workspace, and sandboxes of sessions.
     *
     * @param workspace absolute real path
     */
    public void stopIn(Path workspace, Stop why) {
        running.all().stream()
                .filter(run -> run.order().spec().workspace().equals(workspace.toString()))
                .forEach(run -> run.stop(why));
    }

    /**
     * Returns the words of every command that runs in a workspace, by call id. The sandbox of a
     * session counts when commands left something running in it.
     *
     * @param workspace absolute real path
     */
    public Map<String, List<String>> runningIn(String workspace) {
        return running.all().stream()
                .filter(run -> run.order().spec().workspace().equals(workspace))
                .filter(run -> !run.order().holds() || run.hasOthers())
                .collect(Collectors.toMap(LiveRun::callId, Runner::words));
    }

    private static List<String> words(LiveRun run) {
        return run.order().holds()
                ? List.of("the sandbox of a session, and what it left running there")
                : run.order().spec().argv();
    }

    /** Returns how many run now, tests of sandboxes included. */
    public int running() {
        return running.all().size();
    }

    /** Returns what happened so far. */
    public RunCounts counts() {
        return counts;
    }

    /** Starts nothing any more, ends everything at once, and waits for at most ten seconds. */
    @Override
    public void close() {
        running.close().forEach(run -> run.stop(Stop.WITHDRAWN));
        Set<String> left = running.awaitNone(CLOSE_MILLIS);
        if (!left.isEmpty()) {
            LOG.error("These runs have not ended: {}", left);
        }
    }
}
