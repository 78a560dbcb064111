package palyra.sandbox.tierc.windows.internal;

import java.util.List;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.tierc.windows.internal.JobSpawner.Spawned;
import palyra.sandbox.tierc.windows.internal.win.JobAccounting;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/** Runs a small program of Windows in a job and looks whether the job has held it. */
final class SelfTest {
    private static final long RUN_MILLIS = 5_000;

    private final Kernel32 kernel;
    private final Windows windows;

    SelfTest(Kernel32 kernel, Windows windows) {
        this.kernel = kernel;
        this.windows = windows;
    }

    /** Returns the problem in one sentence; empty when all works. */
    Optional<String> problem() throws InterruptedException {
        String folder = windows.root() + "\\System32";
        String program = folder + "\\hostname.exe";
        JobSpawner.Order order =
                new JobSpawner.Order(
                        program,
                        CommandLine.of(program, List.of()),
                        EnvironmentBlock.of(java.util.Map.of(), windows.variables(folder)),
                        folder,
                        SandboxLimits.DEFAULT,
                        false);
        try {
            Spawned spawned = new JobSpawner(kernel).spawn(order);
            try (JobProcess process = new JobProcess(kernel, spawned, "none", () -> {})) {
                return judged(process.await(RUN_MILLIS), spawned.job(), process);
            }
        } catch (PalyraException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static Optional<String> judged(
            Optional<SandboxProcess.ExitReport> ended, Job job, JobProcess process) {
        if (ended.isEmpty()) {
            return Optional.of("A small program did not end in its job within five seconds.");
        }
        if (ended.get().exitCode() != 0) {
            return Optional.of(
                    "A small program ended in its job with " + ended.get().exitCode() + ".");
        }
        Optional<JobAccounting> accounting = job.accounting();
        if (accounting.isEmpty() || accounting.get().totalProcesses < 1) {
            return Optional.of("A small program ran, but its job did not count it.");
        }
        return process.kill() == 0
                ? Optional.empty()
                : Optional.of("A small program could not be ended by its job.");
    }
}
