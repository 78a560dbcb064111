package palyra.sandbox.posix.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Metric;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.cgroup.CgroupFiles;
import palyra.sandbox.posix.internal.cgroup.Cgroups;
import palyra.sandbox.posix.internal.kernel.Confinement;
import palyra.sandbox.posix.internal.kernel.LandlockRules;
import palyra.sandbox.posix.internal.kernel.PortThreadFactories;
import palyra.sandbox.posix.internal.kernel.RemainingProcesses;
import palyra.sandbox.posix.internal.kernel.Rulesets;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.process.Counters;
import palyra.sandbox.posix.internal.process.LaunchContext;
import palyra.sandbox.posix.internal.process.Mark;
import palyra.sandbox.posix.internal.process.MemoryWatch;
import palyra.sandbox.posix.internal.process.OrphanKiller;
import palyra.sandbox.posix.internal.process.ProcessLaunch;
import palyra.sandbox.posix.internal.process.ProcessSweeper;
import palyra.sandbox.posix.internal.process.ProcessTable;
import palyra.sandbox.posix.internal.process.ProcessThreads;
import palyra.sandbox.posix.internal.process.RunningProcess;
import palyra.sandbox.posix.internal.process.Signals;
import palyra.sandbox.posix.internal.spawn.Programs;
import palyra.sandbox.posix.internal.spawn.SpawnAttributes;

/** The launcher on a host whose C library can be called. Thread-safe. */
final class PosixLauncher implements ProcessLauncher, AutoCloseable {
    private static final Pattern CALL_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private final Libc libc;
    private final HostProbe probe;
    private final Counters counters = new Counters();
    private final ProcessTable table = new ProcessTable(Path.of("/proc"));
    private final Signals signals;
    private final ProcessSweeper sweep;
    private final Mark.Owner owner;
    private final AtomicLong numbers = new AtomicLong();
    private final PortThreadFactories parents;
    private final Rulesets rulesets;
    private final SpawnAttributes attributes;
    private final RemainingProcesses.Proof proof = new RemainingProcesses.Proof();
    private final ProcessThreads threads = new ProcessThreads();
    private final MemoryWatch memory = new MemoryWatch(table, threads);
    private final RunningProcesses running = new RunningProcesses();
    private volatile State state;

    private record State(HostFacts facts, LaunchContext context) {}

    /** Probes the host. */
    PosixLauncher(Libc libc, HostProbe probe) {
        this.libc = libc;
        this.probe = probe;
        signals = new Signals(libc);
        sweep = new ProcessSweeper(table, signals);
        owner = Mark.Owner.create(table);
        parents = new PortThreadFactories(libc, rules());
        rulesets = new Rulesets(libc, rules());
        attributes = new SpawnAttributes(libc);
        state = look();
    }

    private LandlockRules rules() {
        return new LandlockRules(libc, LandlockRules.version(libc));
    }

    private State look() {
        HostProbe.Found found = probe.look(libc);
        Cgroups groups =
                new Cgroups(
                        new CgroupFiles(),
                        found.roots(),
                        pid -> signals.kill(pid, () -> true),
                        table::lives);
        LaunchContext context =
                new LaunchContext(
                        libc,
                        new Descriptors(libc),
                        new Programs(libc),
                        new Confinement(
                                libc, rules(), rulesets, parents, proof, found.facts().seccomp()),
                        found.shell(),
                        libc.hardLimits(),
                        attributes,
                        groups,
                        table,
                        signals,
                        sweep,
                        counters,
                        threads,
                        memory,
                        found.facts().spawn().equals(HostProbe.POSIX_SPAWN),
                        running::addBusyCgroup);
        return new State(found.facts(), context);
    }

    @Override
    public HostFacts host() {
        return state.facts();
    }

    @Override
    public HostFacts refresh() {
        state = look();
        return state.facts();
    }

    @Override
    public SandboxProcess launch(LaunchPlan plan) {
        State now = state;
        running.removeBusyCgroups(0);
        try {
            check(now, plan);
            ProcessLaunch launching =
                    new ProcessLaunch(
                            now.context(),
                            plan,
                            owner.mark(numbers, plan.callId()),
                            running::add,
                            running::remove);
            RunningProcess process = launching.launch();
            counters.launched();
            return process;
        } catch (PalyraException refused) {
            counters.failed();
            throw refused;
        }
    }

    private void check(State now, LaunchPlan plan) {
        if (!now.facts().problem().isEmpty()) {
            throw new PalyraException(
                    probe.refuses(now.facts().effectiveUid())
                            ? ErrorCode.DENIED
                            : ErrorCode.TOOL_UNAVAILABLE,
                    now.facts().problem());
        }
        if (!CALL_ID.matcher(plan.callId()).matches()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The call id '" + plan.callId() + "' cannot name a cgroup.");
        }
        now.context().check(plan);
    }

    /** Kills processes that an earlier gateway has left; takes some milliseconds. */
    void endOrphans() {
        counters.swept(new OrphanKiller(sweep, owner).end(state.context().groups()));
    }

    /** Returns how many processes were left after kills. */
    long leftovers() {
        return counters.leftovers();
    }

    List<Metric> metrics() {
        return counters.metrics(running.count());
    }

    /** Kills and closes every process. */
    @Override
    public void close() {
        running.close();
        parents.close();
        rulesets.close();
        threads.close();
    }

    /** Returns the value of a variable of this process's environment. */
    static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name));
    }
}
