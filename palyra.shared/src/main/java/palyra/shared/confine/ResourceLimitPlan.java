package palyra.shared.confine;

import java.util.Optional;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan.GroupLimits;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxLimits;

/**
 * How limits are enforced on a host. Memory is limited for all processes together, by a cgroup or,
 * where none counts it, by what they are measured to hold. Address space is left alone: runtimes
 * reserve far more of it than they use.
 *
 * @param rlimits limits of each process
 * @param group limits of all together
 * @param words the {@code rlimits=} fact of an enforcement
 */
public record ResourceLimitPlan(Rlimits rlimits, Optional<GroupLimits> group, String words) {
    private static final long MILLIS = 1_000;

    /**
     * Finds them.
     *
     * @param mayMiss whether the order permits that there is no cgroup
     * @param helpers processes of the sandbox itself, which do not count against the command's
     */
    public static ResourceLimitPlan of(
            SandboxLimits limits, HostFacts host, boolean mayMiss, int helpers) {
        boolean memory = host.cgroupControllers().contains("memory");
        boolean pids = host.cgroupControllers().contains("pids");
        Rlimits each =
                new Rlimits(
                        Math.max(1, Math.ceilDiv(limits.cpuMillis(), MILLIS)),
                        0,
                        limits.fileBytes(),
                        limits.openFiles(),
                        0);
        GroupLimits all =
                new GroupLimits(
                        limits.memoryBytes(),
                        pids ? limits.processes() + helpers : 0,
                        memory || !mayMiss);
        return new ResourceLimitPlan(each, Optional.of(all), "rlimits=cpu,fsize,nofile,core");
    }
}
