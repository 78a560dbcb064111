package palyra.sandbox.posix.internal.life;

import java.util.Map;
import java.util.function.Consumer;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.sandbox.posix.internal.cgroup.Group;
import palyra.sandbox.posix.internal.cgroup.Groups;
import palyra.sandbox.posix.internal.kernel.Confinement;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Limit;
import palyra.sandbox.posix.internal.spawn.Programs;
import palyra.sandbox.posix.internal.spawn.ShellDialect;
import palyra.sandbox.posix.internal.spawn.SpawnAttributes;

/**
 * What launches share.
 *
 * @param hard hard limits of this process when it was looked at, -1 for none
 * @param spawns whether posix_spawn(3) can be used, ProcessBuilder otherwise
 * @param remains takes cgroups that could not be removed yet
 */
public record Workshop(
        Libc libc,
        Descriptors descriptors,
        Programs programs,
        Confinement confinement,
        ShellDialect shell,
        Map<Limit, Long> hard,
        SpawnAttributes attributes,
        Groups groups,
        ProcessTable table,
        Signals signals,
        Sweep sweep,
        Counters counters,
        Followers followers,
        boolean spawns,
        Consumer<Group> remains) {
    /**
     * Checks whether this host has what a plan needs.
     *
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE or INVALID_ARGUMENT
     */
    public void check(LaunchPlan plan) {
        confinement.check(plan);
        if (!spawns) {
            BuilderStarter.check(plan);
        }
    }
}
