package palyra.sandbox.posix.internal.process;

import palyra.sandbox.posix.internal.cgroup.Cgroups;

/** Kills processes and removes cgroups that a killed gateway has left. */
public final class OrphanKiller {
    private static final long GROUP_MILLIS = 2_000;

    private final ProcessSweeper sweep;
    private final Mark.Owner self;

    /** Creates it. */
    public OrphanKiller(ProcessSweeper sweep, Mark.Owner self) {
        this.sweep = sweep;
        this.self = self;
    }

    /** Kills and removes them; returns the number of processes. */
    public int end(Cgroups groups) {
        int inGroups =
                groups.clear(
                        name ->
                                name.startsWith(Mark.CGROUP)
                                        && sweep.ownerIsGone(
                                                name.substring(Mark.CGROUP.length()), self),
                        GROUP_MILLIS);
        return inGroups + sweep.killOrphans(self);
    }
}
