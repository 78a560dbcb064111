package palyra.sandbox.internal.run;

import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxLimits;

/**
 * The memory limit of a command as a sandbox can hold it. Where a cgroup counts memory, that is the
 * memory of all processes together. Where none does, the sandbox limits the address space of each
 * process, of which runtimes such as those of Java and JavaScript reserve many times what they use
 * and without which they do not start; so it is a configured multiple.
 */
public final class MemoryBounds {
    /** Fact of a backend: where its cgroup is, and in parentheses what that counts. */
    private static final String CGROUP = "cgroup";

    private static final String MEMORY = "memory";

    private final Backends backends;

    /** Creates it over the sandboxes. */
    public MemoryBounds(Backends backends) {
        this.backends = backends;
    }

    /**
     * Returns the limits for a tier as it is now. They stay unchanged where a cgroup counts memory,
     * where the backend reports no cgroup, and without a backend, where the start fails.
     *
     * @param factor how many times the memory limit the address space may be; at least 1
     */
    public SandboxLimits of(SandboxLimits limits, Tier tier, int factor) {
        String cgroup;
        try {
            cgroup = backends.awaited(tier).status().facts().getOrDefault(CGROUP, MEMORY);
        } catch (PalyraException e) {
            return limits; // the start fails with the cause
        }
        return cgroup.contains(MEMORY) ? limits : withMemory(limits, factor);
    }

    private static SandboxLimits withMemory(SandboxLimits limits, int factor) {
        return new SandboxLimits(
                limits.wallMillis(),
                limits.cpuMillis(),
                limits.memoryBytes() > Long.MAX_VALUE / factor
                        ? Long.MAX_VALUE
                        : limits.memoryBytes() * factor,
                limits.processes(),
                limits.fileBytes(),
                limits.openFiles(),
                limits.outputBytes(),
                limits.scratchBytes());
    }
}
