package palyra.sandbox.internal.run;

import java.util.Optional;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess.EndKind;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;

/**
 * What a run's end is called. A pure function of what was seen.
 *
 * @param outcome the name
 * @param problem one sentence; empty for OK
 */
record Verdict(RunOutcome outcome, String problem) {
    /** 128 plus SIGXCPU, see setrlimit(2): the soft limit of processor time was reached. */
    private static final int SIGXCPU_CODE = 152;

    /** In what processor time is limited; see setrlimit(2). */
    private static final long SECOND_MILLIS = 1_000;

    /** 128 plus SIGKILL: also what a command gets that ignores SIGXCPU, a second later. */
    private static final int SIGKILL_CODE = 137;

    /**
     * Decides.
     *
     * @param stopped why the runner ended it; empty when it ended by itself
     * @param exit how it ended; empty when that was not seen
     * @param processor its processor time
     * @param leftBehind processes that could not be confirmed dead
     */
    static Verdict of(
            SandboxLimits limits,
            Optional<Verdict> stopped,
            Optional<ExitReport> exit,
            CpuUsage processor,
            int leftBehind) {
        Verdict verdict = stopped.orElseGet(() -> byItself(limits, exit, processor));
        return leftBehind == 0
                ? verdict
                : new Verdict(
                        RunOutcome.SANDBOX_FAILED,
                        leftBehind
                                + " processes of the command could not be confirmed dead."
                                + (verdict.problem.isEmpty() ? "" : " " + verdict.problem));
    }

    /**
     * Returns the name of an end that the runner caused.
     *
     * @param what was stopped, such as {@code The command}
     */
    static Verdict of(Stop why, String what, SandboxLimits limits) {
        return new Verdict(
                why.outcome(),
                switch (why) {
                    case DEADLINE ->
                            what
                                    + " was stopped because its time of "
                                    + limits.wallMillis()
                                    + " ms was up.";
                    case CPU ->
                            what
                                    + " was stopped because it had used up its "
                                    + limits.cpuMillis()
                                    + " ms of processor time.";
                    default -> why.sentence(what);
                });
    }

    /** Returns the end of what holds the sandbox of a session, which never ends by itself. */
    Verdict ofHolder(int exitCode, long memoryBytes) {
        return switch (outcome) {
            case OK ->
                    new Verdict(
                            RunOutcome.KILLED,
                            "Its first process ended with code "
                                    + exitCode
                                    + ", for no limit and no request that the gateway knows of.");
            case MEMORY_QUOTA -> together(memoryBytes);
            default -> this;
        };
    }

    /** Returns the end for want of memory that all commands of a session share. */
    static Verdict together(long memoryBytes) {
        return new Verdict(
                RunOutcome.MEMORY_QUOTA,
                "The commands of the session needed more memory than the "
                        + memoryBytes
                        + " bytes that they may use together.");
    }

    /** Returns the end of a command whose sandbox, that of its session, has ended in this way. */
    Verdict ofSession() {
        return new Verdict(
                outcome == RunOutcome.TIMED_OUT ? RunOutcome.KILLED : outcome,
                "The command was stopped because the sandbox of its session has ended."
                        + (problem.isEmpty() ? "" : " " + problem)
                        + " The next command starts a new one.");
    }

    private static Verdict byItself(
            SandboxLimits limits, Optional<ExitReport> exit, CpuUsage processor) {
        if (exit.isEmpty()) {
            return new Verdict(
                    RunOutcome.SANDBOX_FAILED, "The exit of the command was not" + " observed.");
        }
        ExitReport report = exit.get();
        if (report.outOfMemory()) {
            return new Verdict(
                    RunOutcome.MEMORY_QUOTA,
                    "The command needed more memory than the "
                            + limits.memoryBytes()
                            + " bytes it may use.");
        }
        if (!report.started()) {
            String why = report.problem().isEmpty() ? "unknown reason" : report.problem();
            return new Verdict(RunOutcome.SPAWN_FAILED, "The command did not start: " + why);
        }
        if (!report.problem().isEmpty()) {
            return new Verdict(RunOutcome.KILLED, report.problem());
        }
        return cpu(limits, report, processor)
                ? new Verdict(
                        RunOutcome.CPU_QUOTA,
                        "The command used up the "
                                + limits.cpuMillis()
                                + " ms of processor time it may use.")
                : new Verdict(RunOutcome.OK, "");
    }

    /**
     * Codes alone prove nothing, because a command may end with them itself: the time that it had
     * must allow it. Where it is known that no signal ended it, the code can only be that of a
     * child, as shells hand it on; then the time must have been measured. A code of 153, 128 plus
     * SIGXFSZ, stays the command's own answer.
     */
    private static boolean cpu(SandboxLimits limits, ExitReport report, CpuUsage processor) {
        int exitCode = report.exitCode();
        long seconds = Math.max(1, Math.ceilDiv(limits.cpuMillis(), SECOND_MILLIS));
        boolean reached =
                report.end() == EndKind.EXITED
                        ? processor.used(seconds * SECOND_MILLIS)
                        : processor.mayHaveReached(seconds);
        return (exitCode == SIGXCPU_CODE && reached)
                || (exitCode == SIGKILL_CODE && processor.used(limits.cpuMillis()));
    }
}
