package palyra.sandbox.posix.internal.life;

import java.util.Optional;
import java.util.OptionalInt;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.SandboxProcess.EndKind;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.sandbox.posix.internal.cgroup.Group;
import palyra.sandbox.posix.internal.spawn.Stage;

/**
 * Tells how a command ended from what its processes left: a command's own exit code is never
 * confused with that of the shell or of the program that sets the sandbox up.
 */
final class Verdict {
    /** The lines end with the process that writes them; this bounds a machine that is very busy. */
    private static final long STATUS_MILLIS = 10_000;

    /** Seven of eight parts; the rest is libraries, and what was asked for last. */
    private static final long NEARLY = 7;

    private static final long NEARLY_OF = 8;

    private final ProcessTable table;
    private final Optional<Stage> stage;
    private final StatusReader status;
    private final Optional<Group> group;
    private final LaunchPlan plan;

    /** Creates it; {@code status} is null when the process writes no status lines. */
    Verdict(
            ProcessTable table,
            Optional<Stage> stage,
            StatusReader status,
            Optional<Group> group,
            LaunchPlan plan) {
        this.table = table;
        this.stage = stage;
        this.status = status;
        this.group = group;
        this.plan = plan;
    }

    /** Returns the report of a process that has ended and was not taken away. */
    ExitReport of(long pid, Child.End end, boolean killed) throws InterruptedException {
        if (end.lost()) {
            return never(
                    "Somebody else has taken the exit status of the command, so it is unknown"
                            + " whether it ran.");
        }
        // A stage that fails never ends with code 0.
        if (stage.isPresent() && !end.signalled() && end.code() != 0 && showsSecret(pid)) {
            return never(Stage.problem(end.code(), plan.argv().get(0)));
        }
        int code = end.code();
        if (status != null) {
            OptionalInt said = status.exitCode(STATUS_MILLIS);
            if (said.isEmpty() && !end.signalled() && !killed) {
                return never(
                        "The sandbox was not set up: the program that does it ended with code "
                                + code
                                + " before the command ran; its standard error says why.");
            }
            code = said.orElse(code);
        }
        boolean outOfMemory =
                code != 0
                        && group.map(Group::ranOutOfMemory)
                                .orElseGet(() -> usedUpAddressSpace(end.peakBytes()));
        return new ExitReport(true, code, "", outOfMemory, kind(end));
    }

    /** What sets a sandbox up reports a code for both. */
    private EndKind kind(Child.End end) {
        if (status != null) {
            return EndKind.UNKNOWN;
        }
        return end.signalled() ? EndKind.SIGNALLED : EndKind.EXITED;
    }

    /**
     * Returns whether one of the processes has held nearly all the address space that it may have.
     * The kernel ends none for that, it gives no more; and whoever reserves without using is not
     * seen here. A child that was made by vfork(2) begins with the peak of this JVM, see
     * getrusage(2) and exec_mmap in fs/exec.c; so a peak that this JVM has reached itself proves
     * nothing.
     */
    private boolean usedUpAddressSpace(long peakBytes) {
        long limit = plan.rlimits().addressSpaceBytes();
        return limit > 0
                && peakBytes >= limit / NEARLY_OF * NEARLY
                && peakBytes > Meter.peak(table.read(ProcessHandle.current().pid(), "status"));
    }

    private boolean showsSecret(long pid) {
        return table.read(pid, "limits").filter(stage.get()::failed).isPresent();
    }

    private static ExitReport never(String problem) {
        return new ExitReport(false, -1, problem, false);
    }
}
