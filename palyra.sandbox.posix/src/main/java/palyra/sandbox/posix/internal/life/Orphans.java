package palyra.sandbox.posix.internal.life;

import palyra.sandbox.posix.internal.cgroup.Groups;

/** Ends what a gateway that was killed has left behind. */
public final class Orphans {
    private static final long GROUP_MILLIS = 2_000;

    private final Sweep sweep;
    private final Mark.Owner self;

    /** Creates it. */
    public Orphans(Sweep sweep, Mark.Owner self) {
        this.sweep = sweep;
        this.self = self;
    }

    /** Kills and removes it; returns how many processes there were. */
    public int end(Groups groups) {
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
