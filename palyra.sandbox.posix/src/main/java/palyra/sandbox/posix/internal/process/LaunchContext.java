package palyra.sandbox.posix.internal.process;

import java.util.Map;
import java.util.function.Consumer;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.sandbox.posix.internal.cgroup.Cgroup;
import palyra.sandbox.posix.internal.cgroup.Cgroups;
import palyra.sandbox.posix.internal.kernel.Confinement;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Limit;
import palyra.sandbox.posix.internal.spawn.Programs;
import palyra.sandbox.posix.internal.spawn.ShellDialect;
import palyra.sandbox.posix.internal.spawn.SpawnAttributes;

/**
 * Services that all launches share.
 *
 * @param hard hard limits of this process when it was probed, -1 for unlimited
 * @param spawns whether posix_spawn(3) can be used, ProcessBuilder otherwise
 * @param busyCgroups takes cgroups that could not be removed yet
 */
public record LaunchContext(
        Libc libc,
        Descriptors descriptors,
        Programs programs,
        Confinement confinement,
        ShellDialect shell,
        Map<Limit, Long> hard,
        SpawnAttributes attributes,
        Cgroups groups,
        ProcessTable table,
        Signals signals,
        ProcessSweeper sweep,
        Counters counters,
        ProcessThreads threads,
        MemoryWatch memory,
        boolean spawns,
        Consumer<Cgroup> busyCgroups) {
    /**
     * Checks whether this host can enforce a plan.
     *
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE or INVALID_ARGUMENT
     */
    public void check(LaunchPlan plan) {
        confinement.check(plan);
        if (!spawns) {
            ProcessBuilderStarter.check(plan);
        }
    }
}
