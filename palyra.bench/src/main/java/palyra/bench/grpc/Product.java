package palyra.bench.grpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The product as its users start it, in a process of its own with a state folder of its own. */
public final class Product implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long READY_SECONDS = 90;
    private static final long COMMAND_SECONDS = 180;
    private static final long STOP_SECONDS = 30;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Path script;
    private final Path state;
    private final Path log;
    private final Process process;

    private Product(Path script, Path state, Path log, Process process) {
        this.script = script;
        this.state = state;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts the product and waits until it is ready.
     *
     * @param settings of the form {@code PID:key=value}
     */
    public static Product start(Path dist, Path folder, String... settings)
            throws IOException, InterruptedException {
        Path script = dist.resolve("bin/palyra");
        Path state = folder.resolve("state");
        Path log = folder.resolve("product.log");
        if (!Files.isExecutable(script)) {
            throw new IOException("there is no " + script + "; scripts/bench.sh grpc builds it");
        }
        List<String> up = new ArrayList<>(List.of("up", "--headless", "--http-port", "0"));
        for (String setting : settings) {
            up.addAll(List.of("--set", setting));
        }
        up.addAll(List.of("--set", "palyra.transport.grpc:port=0"));
        ProcessBuilder builder =
                builder(script, state, up.toArray(new String[0]))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().put("PALYRA_READY_FILE", readyFile(state).toString());
        Product product = new Product(script, state, log, builder.start());
        product.awaitReady();
        return product;
    }

    private static Path readyFile(Path state) {
        return state.resolve("run/ready.json");
    }

    private static ProcessBuilder builder(Path script, Path state, String... words) {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().put("PALYRA_STATE", state.toString());
        builder.environment().put("PALYRA_JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (!Files.exists(readyFile(state))) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                close();
                throw new IOException("the product was not ready: " + Files.readString(log));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Runs a command of the gateway; returns its JSON output, or nothing for none. */
    public JsonNode command(String... words) throws IOException, InterruptedException {
        return commandWith("", words);
    }

    /** As above, with an input. */
    public JsonNode commandWith(String input, String... words)
            throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of(words));
        argv.add("--json");
        Process client =
                builder(script, state, argv.toArray(new String[0]))
                        .redirectInput(ProcessBuilder.Redirect.PIPE)
                        .redirectErrorStream(true)
                        .start();
        try (OutputStream to = client.getOutputStream()) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!client.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || client.exitValue() != 0) {
            throw new IOException(String.join(" ", words) + ": " + said);
        }
        int begin = said.indexOf('{');
        return begin < 0 ? JSON.createObjectNode() : JSON.readTree(said.substring(begin));
    }

    /**
     * Starts a command of the script in a folder; the caller ends it.
     *
     * @param log file of what it says
     */
    public Process startCommand(Path place, Path log, String... words) throws IOException {
        return builder(script, state, words)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Returns a client of a principal that may do everything. */
    GrpcClient client(int connections) throws IOException, InterruptedException {
        return new GrpcClient(endpoint("grpc"), token(), connections);
    }

    /** Returns a new API token of a principal that may do everything. */
    public String token() throws IOException, InterruptedException {
        JsonNode issued =
                command(
                        "access",
                        "token-create",
                        "bench",
                        "--principal",
                        "user:bench",
                        "--group",
                        "operator");
        return issued.path("secret").asText();
    }

    /** Returns where it listens, as a URI; empty when it does not. */
    public String endpoint(String name) throws IOException {
        return JSON.readTree(readyFile(state).toFile()).path("endpoints").path(name).asText();
    }

    /** Returns its state folder. */
    public Path state() {
        return state;
    }

    /** Returns the id of its process. */
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
