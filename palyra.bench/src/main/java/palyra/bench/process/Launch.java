package palyra.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import palyra.bench.Setting;

/** A program that is started, watched until it says that it is ready, and stopped. */
final class Launch {
    private static final long READY_SECONDS = 90;
    private static final long IDLE_SECONDS = 30;
    private static final long STOP_SECONDS = 30;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<String> command;
    private final Map<String, String> environment;
    private final Path readyFile;
    private final Path log;

    /** The program writes {@code readyFile} when it is ready, in one step. */
    Launch(List<String> command, Map<String, String> environment, Path readyFile, Path log) {
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.readyFile = readyFile;
        this.log = log;
    }

    /**
     * One life.
     *
     * @param readyMillis from the start of the first process until the file was there
     * @param idleMegabytes memory in use once it had come to rest
     */
    record Life(double readyMillis, double idleMegabytes) {}

    Life live() throws IOException, InterruptedException {
        Files.deleteIfExists(readyFile);
        long begin = System.nanoTime();
        Process process = start();
        try {
            awaitReady(process);
            double millis = (System.nanoTime() - begin) / (double) TimeUnit.MILLISECONDS.toNanos(1);
            if (!Processes.awaitIdle(process.pid(), IDLE_SECONDS)) {
                throw new IOException(
                        command.get(0) + " was not idle within " + IDLE_SECONDS + " s");
            }
            return new Life(millis, Processes.residentMegabytes(process.pid()));
        } finally {
            stop(process);
        }
    }

    /** Runs it to its end; throws when it fails. */
    void complete() throws IOException, InterruptedException {
        Process process = start();
        try {
            if (!process.waitFor(READY_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw failed("did not end well");
            }
        } finally {
            stop(process);
        }
    }

    private Process start() throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private void awaitReady(Process process) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (!Files.exists(readyFile)) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw failed("was not ready");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private IOException failed(String how) throws IOException {
        String said = Files.readString(log).strip();
        return new IOException(
                String.join(" ", command)
                        + " "
                        + how
                        + "; it said: "
                        + said.substring(Math.max(0, said.length() - 2_000)));
    }

    private static void stop(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Makes a folder that exists and is empty; returns it. */
    static Path fresh(Path folder) throws IOException {
        Setting.delete(folder);
        return Files.createDirectories(folder);
    }
}
