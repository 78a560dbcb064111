package palyra.sandbox.internal.run;

import java.util.concurrent.TimeUnit;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxProcess.Usage;

/**
 * Processor time of a command that has ended.
 *
 * @param usage what was measured: of all processes where a cgroup counts them, of the first one and
 *     the children that it waited for otherwise
 * @param tier where it ran: in tier C the first process is a helper, whose children are in a
 *     namespace of their own and do not count for it
 * @param wallMillis how long it ran
 * @param processors of this host
 */
record CpuUsage(Usage usage, Tier tier, long wallMillis, int processors) {
    /** The kernel compares ticks with a limit, and tells times that it has measured. */
    private static final int MARGIN = 2;

    /** Whether one process can have reached a limit of {@code seconds}. */
    boolean mayHaveReached(long seconds) {
        long millis = TimeUnit.SECONDS.toMillis(seconds);
        return counts()
                ? usage.cpuMillis() >= millis / MARGIN
                : wallMillis * Math.max(1, processors) >= millis;
    }

    /** Whether at least this much was measured. */
    boolean used(long millis) {
        return usage.cpuMillis() >= millis;
    }

    private boolean counts() {
        return usage.cpuMillis() >= 0 && (usage.wholeTree() || tier == Tier.B);
    }
}
