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
import palyra.sandbox.posix.internal.cgroup.GroupFiles;
import palyra.sandbox.posix.internal.cgroup.Groups;
import palyra.sandbox.posix.internal.kernel.Census;
import palyra.sandbox.posix.internal.kernel.Confinement;
import palyra.sandbox.posix.internal.kernel.LandlockRules;
import palyra.sandbox.posix.internal.kernel.PortParents;
import palyra.sandbox.posix.internal.kernel.Rulesets;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.life.Counters;
import palyra.sandbox.posix.internal.life.Followers;
import palyra.sandbox.posix.internal.life.Launching;
import palyra.sandbox.posix.internal.life.Mark;
import palyra.sandbox.posix.internal.life.Orphans;
import palyra.sandbox.posix.internal.life.ProcessTable;
import palyra.sandbox.posix.internal.life.RunningProcess;
import palyra.sandbox.posix.internal.life.Signals;
import palyra.sandbox.posix.internal.life.Sweep;
import palyra.sandbox.posix.internal.life.Workshop;
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
    private final Sweep sweep;
    private final Mark.Owner owner;
    private final AtomicLong numbers = new AtomicLong();
    private final PortParents parents;
    private final Rulesets rulesets;
    private final SpawnAttributes attributes;
    private final Census.Proof proof = new Census.Proof();
    private final Followers followers = new Followers();
    private final RunningProcesses running = new RunningProcesses();
    private volatile State state;

    private record State(HostFacts facts, Workshop shop) {}

    /** Looks at the host. */
    PosixLauncher(Libc libc, HostProbe probe) {
        this.libc = libc;
        this.probe = probe;
        signals = new Signals(libc);
        sweep = new Sweep(table, signals);
        owner = Mark.Owner.create(table);
        parents = new PortParents(libc, rules());
        rulesets = new Rulesets(libc, rules());
        attributes = new SpawnAttributes(libc);
        state = look();
    }

    private LandlockRules rules() {
        return new LandlockRules(libc, LandlockRules.version(libc));
    }

    private State look() {
        HostProbe.Found found = probe.look(libc);
        Groups groups =
                new Groups(
                        new GroupFiles(),
                        found.roots(),
                        pid -> signals.kill(pid, () -> true),
                        table::lives);
        Workshop shop =
                new Workshop(
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
                        followers,
                        found.facts().spawn().equals(HostProbe.POSIX_SPAWN),
                        running::keep);
        return new State(found.facts(), shop);
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
        running.removeRemains(0);
        try {
            check(now, plan);
            Launching launching =
                    new Launching(
                            now.shop(),
                            plan,
                            owner.mark(numbers, plan.callId()),
                            running::add,
                            running::forget);
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
        now.shop().check(plan);
    }

    /** Ends what an earlier gateway has left behind; some milliseconds. */
    void endOrphans() {
        counters.swept(new Orphans(sweep, owner).end(state.shop().groups()));
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
        followers.close();
    }

    /** Returns the value of a variable of this process's environment. */
    static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name));
    }
}
