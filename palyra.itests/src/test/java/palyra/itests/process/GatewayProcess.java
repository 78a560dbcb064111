package palyra.itests.process;

import static org.junit.Assert.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.itests.Wait;

/** The gateway as a process of its own: the same command line as bin/palyra's, compiled sooner. */
public final class GatewayProcess implements AutoCloseable {
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final List<String> JVM =
            List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-XX:+UseSerialGC",
                    "-Xms32m",
                    "-Xmx512m",
                    "-Xss512k",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-XX:TieredStopAtLevel=1");

    private final Process process;
    private final Path state;
    private final Path readyFile;
    private final Path log;

    private GatewayProcess(Process process, Path state, Path readyFile, Path log) {
        this.process = process;
        this.state = state;
        this.readyFile = readyFile;
        this.log = log;
    }

    /**
     * Starts it without waiting.
     *
     * @param home the installation
     * @param state the state folder; ready file and console output lie beside it
     */
    public static GatewayProcess start(Path home, Path state, String... options)
            throws IOException {
        Path readyFile = state.resolveSibling(state.getFileName() + ".ready");
        Path log = state.resolveSibling(state.getFileName() + ".console");
        Files.deleteIfExists(readyFile);
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(JVM);
        command.addAll(archive());
        command.addAll(List.of("-cp", ClassArchive.classPath(), "palyra.launcher.Main"));
        command.addAll(List.of("--headless", "--http-port", "0"));
        command.addAll(List.of("--set", "palyra.transport.grpc:port=0"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).directory(new File("/"));
        builder.environment().put("PALYRA_HOME", home.toString());
        builder.environment().put("PALYRA_STATE", state.toString());
        builder.environment().put("PALYRA_READY_FILE", readyFile.toString());
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        return new GatewayProcess(builder.start(), state, readyFile, log);
    }

    private static List<String> archive() throws IOException {
        try {
            return ClassArchive.options(JVM);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the class archive was made", e);
        }
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Waits until it says that it is ready. */
    public GatewayProcess awaitReady() throws Exception {
        Wait.until(
                "the gateway to be ready",
                START_PATIENCE,
                () -> Files.exists(readyFile) || !process.isAlive(),
                this::console);
        if (!process.isAlive()) {
            throw new AssertionError("the gateway ended with " + process.exitValue() + console());
        }
        return this;
    }

    /** Waits until it says that it is up and not ready. */
    GatewayProcess awaitNotReady() throws Exception {
        Wait.until(
                "the gateway to say that it is not ready",
                START_PATIENCE,
                () -> console().contains("palyra is NOT ready") || !process.isAlive(),
                this::console);
        assertFalse("a file says that it is ready", Files.exists(readyFile));
        return this;
    }

    /** Returns what the ready file says. */
    public JsonNode ready() throws IOException {
        return CommandClient.JSON.readTree(readyFile.toFile());
    }

    public String http() throws IOException {
        return ready().path("endpoints").path("http").asText();
    }

    public CommandClient client() {
        return new CommandClient(state.resolve("run/command.sock"));
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** The kernel ends it, as {@code kill -9} does; returns when it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        exit();
    }

    /** Asks it to end, as {@code kill} does; returns its exit code. */
    public int terminate() throws InterruptedException {
        process.destroy();
        return exit();
    }

    /** Waits for its end; returns the exit code. */
    public int exit() throws InterruptedException {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the gateway does not end" + console());
        }
        return process.exitValue();
    }

    /** Returns what it wrote to its terminal, in this start and those before. */
    public String console() {
        try {
            return "\n--- console ---\n" + Files.readString(log);
        } catch (IOException e) {
            return "\n--- no console: " + e.getMessage();
        }
    }

    /** Ends it if it is still there. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
