package palyra.sandbox.posix.internal.process;

import java.util.Optional;
import java.util.OptionalInt;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.SandboxProcess.EndKind;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.sandbox.posix.internal.cgroup.Cgroup;
import palyra.sandbox.posix.internal.spawn.Stage;

/**
 * Works out how a command ended: its own exit code is never confused with that of the shell or of
 * the program that sets the sandbox up.
 */
final class ExitClassifier {
    /**
     * Status lines end with the process that writes them; this is the limit on a very busy machine.
     */
    private static final long STATUS_MILLIS = 10_000;

    private final ProcessTable table;
    private final Optional<Stage> stage;
    private final StatusReader status;
    private final Memory memory;
    private final LaunchPlan plan;

    /**
     * What counts the memory of a process, alone or with others that share a sandbox.
     *
     * @param killedBefore how many processes the kernel had killed in it before this one
     */
    record Memory(Optional<Cgroup> group, long killedBefore) {
        /** Looks; before the process starts. */
        static Memory before(Optional<Cgroup> group) {
            return new Memory(group, group.map(Cgroup::killedForMemory).orElse(0L));
        }
    }

    /** Creates it; {@code status} is null when the process writes no status lines. */
    ExitClassifier(
            ProcessTable table,
            Optional<Stage> stage,
            StatusReader status,
            Memory memory,
            LaunchPlan plan) {
        this.table = table;
        this.stage = stage;
        this.status = status;
        this.memory = memory;
        this.plan = plan;
    }

    /** Returns the report of a process that has ended and is not yet reaped. */
    ExitReport of(long pid, Child.End end, boolean killed) throws InterruptedException {
        if (end.lost()) {
            return notStarted(
                    "The exit status of the command was reaped by other code in the gateway, so"
                            + " it is unknown whether the command ran.");
        }
        // A stage that fails notStarted ends with code 0.
        if (stage.isPresent() && !end.signalled() && end.code() != 0 && showsSecret(pid)) {
            return notStarted(Stage.problem(end.code(), plan.argv().get(0)));
        }
        int code = end.code();
        if (status != null) {
            OptionalInt said = status.exitCode(STATUS_MILLIS);
            if (said.isEmpty() && !end.signalled() && !killed) {
                return notStarted(
                        "The sandbox was not set up: the program that does it ended with code "
                                + code
                                + " before the command ran; its standard error says why.");
            }
            code = said.orElse(code);
        }
        boolean outOfMemory =
                code != 0
                        && memory.group()
                                .map(group -> group.killedForMemory() > memory.killedBefore())
                                .orElse(false);
        return new ExitReport(true, code, "", outOfMemory, kind(end));
    }

    /** A program that sets a sandbox up reports an exit code for both kinds. */
    private EndKind kind(Child.End end) {
        if (status != null) {
            return EndKind.UNKNOWN;
        }
        return end.signalled() ? EndKind.SIGNALLED : EndKind.EXITED;
    }

    private boolean showsSecret(long pid) {
        return table.read(pid, "limits").filter(stage.get()::failed).isPresent();
    }

    private static ExitReport notStarted(String problem) {
        return new ExitReport(false, -1, problem, false);
    }
}
