package palyra.bench.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.api.core.sandbox.SandboxProcess;

/** Single operations on processes. */
final class Trials {
    private static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private Trials() {}

    /** Something that takes time. */
    interface Operation {
        /** Does it once and returns how many nanoseconds it took. */
        long nanos() throws Exception;
    }

    /** Does something several times. */
    static List<Long> times(int count, Operation operation) throws Exception {
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nanos.add(operation.nanos());
        }
        return nanos;
    }

    /** Waits for a command, which must succeed. */
    static void end(SandboxProcess process) throws InterruptedException {
        SandboxProcess.ExitReport report =
                process.await(PATIENCE_MILLIS)
                        .orElseThrow(() -> new IllegalStateException("the command did not end"));
        if (report.exitCode() != 0) {
            throw new IllegalStateException(
                    "the command ended with " + report.exitCode() + " " + report.problem());
        }
    }

    /** Waits for a command without a sandbox, which must succeed. */
    static void end(Process process) throws InterruptedException {
        if (!process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("the command did not end well");
        }
    }

    /** Runs a peer that prints nanoseconds, one number a line. */
    static List<Long> numbers(Path folder, List<String> command)
            throws IOException, InterruptedException {
        Path errors = folder.resolve("errors");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(errors.toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .start();
        List<Long> nanos = new ArrayList<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                nanos.add(Long.parseLong(line.strip()));
            }
        }
        if (process.waitFor() != 0 || nanos.isEmpty()) {
            String said = Files.readString(errors).strip();
            throw new IOException(
                    command.get(0) + " ended with " + process.exitValue() + ": " + said);
        }
        return nanos;
    }
}
