package palyra.shared.confine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;

/**
 * A short command that a backend runs to probe the host; it writes little.
 *
 * @param started whether it was executed
 * @param exitCode its exit code; -1 when it did not start or did not end in time
 * @param output what it wrote to standard output
 * @param problem what it wrote to standard error, or why it did not start; one line
 */
public record SelfTestRun(boolean started, int exitCode, String output, String problem) {
    private static final int MOST_BYTES = 4_096;

    /** Runs a plan for at most {@code millis}. Failures are results. */
    public static SelfTestRun run(ProcessLauncher launcher, LaunchPlan plan, long millis) {
        try (SandboxProcess process = launcher.launch(plan)) {
            return watch(process, millis);
        } catch (PalyraException e) {
            return new SelfTestRun(false, -1, "", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(ErrorCode.CANCELLED, "A trial run was interrupted.", e);
        }
    }

    /** Waits for a started process, then ends it. */
    public static SelfTestRun watch(SandboxProcess process, long millis)
            throws InterruptedException {
        Optional<ExitReport> end = process.await(millis);
        process.kill();
        String output = text(process.stdout());
        String error = text(process.stderr());
        if (end.isEmpty()) {
            return new SelfTestRun(true, -1, output, "It did not end within " + millis + " ms.");
        }
        ExitReport report = end.get();
        return new SelfTestRun(
                report.started(),
                report.exitCode(),
                output,
                error.isBlank() ? report.problem() : error.strip().replace('\n', ' '));
    }

    private static String text(InputStream stream) {
        try {
            return new String(stream.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
