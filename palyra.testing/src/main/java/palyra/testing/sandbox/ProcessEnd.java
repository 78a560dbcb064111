package palyra.testing.sandbox;

import palyra.api.core.sandbox.SandboxProcess;
import palyra.shared.confine.SelfTestRun;

/**
 * How a command in a sandbox ended.
 *
 * @param started whether it was executed
 * @param exitCode its exit code; -1 when it did not start or did not end in time
 * @param output what it wrote to standard output; at most 4 KiB
 * @param problem what it wrote to standard error, or why it did not start; one line
 */
public record ProcessEnd(boolean started, int exitCode, String output, String problem) {
    /** Waits for a command at most {@code millis} and ends it; for commands that write little. */
    public static ProcessEnd of(SandboxProcess process, long millis) throws InterruptedException {
        SelfTestRun trial = SelfTestRun.watch(process, millis);
        return new ProcessEnd(trial.started(), trial.exitCode(), trial.output(), trial.problem());
    }
}
