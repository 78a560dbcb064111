package palyra.sandbox.tierc.macos.internal.watch;

import java.util.List;
import java.util.Optional;

/** The processes of this host. Thread-safe, does not block. */
public interface ProcessTable {
    /** Returns what a process uses; empty when it is gone, ended, or another user's. */
    Optional<Use> use(int pid);

    /** Returns the members of a process group. */
    List<Integer> group(int groupId);

    /** Returns the children of a process. */
    List<Integer> children(int pid);

    /** Returns how many processes a user has. */
    int count(long uid);

    /** Sends SIGKILL to one process; one that is gone is no error. */
    void kill(int pid);

    /**
     * What a process uses.
     *
     * @param startedAt when it started, in ticks of the host: tells two processes of one id apart
     * @param footprintBytes memory that it holds, compressed and swapped memory included
     * @param cpuNanos processor time in nanoseconds, its ended and awaited children included
     */
    record Use(long startedAt, long footprintBytes, long cpuNanos) {}
}
