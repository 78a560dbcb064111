package palyra.sandbox.internal.run;

import java.util.List;
import palyra.api.Require;
import palyra.api.core.access.Confinement.Egress;
import palyra.sandbox.internal.output.StreamOutput;

/**
 * How a run ended, with its output and usage.
 *
 * @param callId the run
 * @param outcome how it ended
 * @param exitCode exit code of the command, 128 plus the signal's number when a signal ended it; -1
 *     when it never ran or its end was not seen
 * @param stdout what it wrote, also when it was stopped
 * @param stderr likewise
 * @param problem one sentence; empty when the outcome is OK
 * @param executor what ran it; {@code none} when nothing did
 * @param enforcement what was really enforced; first the egress mode
 * @param startedAtMillis unix time in milliseconds
 * @param durationMillis from the start until nothing of it was left
 * @param cpuMillis processor time; -1 when nothing counted it
 * @param peakMemoryBytes most memory at one time; -1 when nothing counted it
 * @param leftBehind processes that could not be confirmed dead
 * @param undone what it made in repositories and was undone at its end, as sentences
 */
public record RunResult(
        String callId,
        RunOutcome outcome,
        int exitCode,
        StreamOutput stdout,
        StreamOutput stderr,
        String problem,
        String executor,
        String enforcement,
        long startedAtMillis,
        long durationMillis,
        long cpuMillis,
        long peakMemoryBytes,
        int leftBehind,
        List<String> undone) {
    /** Checks. */
    public RunResult {
        Require.text(callId, "call id");
        Require.present(outcome, "outcome");
        problem = Require.orEmpty(problem);
        Require.that(
                (outcome == RunOutcome.OK) == problem.isEmpty(),
                "a run that ended " + outcome + " has the problem '" + problem + "'");
        Require.text(executor, "executor");
        Require.text(enforcement, "enforcement");
        undone = List.copyOf(undone);
    }

    /** Returns the result of a command of which nothing was started. */
    public static RunResult refused(
            String callId, RunOutcome outcome, Egress egress, String problem, long atMillis) {
        return new RunResult(
                callId,
                outcome,
                -1,
                StreamOutput.NONE,
                StreamOutput.NONE,
                problem,
                Enforcement.NO_EXECUTOR,
                Enforcement.notStarted(egress),
                atMillis,
                0,
                -1,
                -1,
                0,
                List.of());
    }

    /** Returns the same with what was undone, which its enforcement counts. */
    RunResult with(List<String> all) {
        String counted = all.isEmpty() ? enforcement : enforcement + " git=undone:" + all.size();
        return new RunResult(
                callId,
                outcome,
                exitCode,
                stdout,
                stderr,
                problem,
                executor,
                counted,
                startedAtMillis,
                durationMillis,
                cpuMillis,
                peakMemoryBytes,
                leftBehind,
                all);
    }

    /** Returns the same without the output. */
    RunResult withoutOutput() {
        return new RunResult(
                callId,
                outcome,
                exitCode,
                stdout.dropped(),
                stderr.dropped(),
                problem,
                executor,
                enforcement,
                startedAtMillis,
                durationMillis,
                cpuMillis,
                peakMemoryBytes,
                leftBehind,
                undone);
    }
}
