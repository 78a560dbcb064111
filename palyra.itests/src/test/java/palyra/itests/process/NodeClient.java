package palyra.itests.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The client of src/test/node: knows the .proto files and nothing of this code. */
final class NodeClient {
    private static final long RUN_MINUTES = 20;

    private final Path folder;

    private NodeClient(Path folder) {
        this.folder = folder;
    }

    /** One check of the client. */
    record Check(String group, String name, boolean ok, String detail) {}

    /** What a run of the client said. */
    record Outcome(List<Check> checks, int exit, String errors) {}

    /** Does for the client what it cannot do itself. */
    interface Director {
        void please(String what) throws IOException;
    }

    /** Copies the client beside the other results of the build and fetches what it needs. */
    static NodeClient install() throws Exception {
        return new NodeClient(NodePackage.install("node", "node-client"));
    }

    /** Runs it to its end. */
    Outcome run(JsonNode settings, Director director) throws Exception {
        Path input = Files.createTempFile(folder, "settings", ".json");
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        CommandClient.JSON.writeValue(input.toFile(), settings);
        Process node = startNode(input, errors);
        Executor later = CompletableFuture.delayedExecutor(RUN_MINUTES, TimeUnit.MINUTES);
        CompletableFuture<Void> watch = CompletableFuture.runAsync(node::destroyForcibly, later);
        try {
            List<Check> checks = listen(node, director);
            return new Outcome(checks, node.waitFor(), Files.readString(errors));
        } finally {
            watch.cancel(false);
            node.destroyForcibly();
            Files.delete(input); // it holds tokens
            Files.delete(errors);
        }
    }

    private Process startNode(Path settings, Path errors) {
        try {
            return new ProcessBuilder("node", "client.mjs", settings.toString())
                    .directory(folder.toFile())
                    .redirectError(errors.toFile())
                    .start();
        } catch (IOException e) {
            throw NodePackage.missing("node", e);
        }
    }

    private static List<Check> listen(Process node, Director director) throws IOException {
        List<Check> checks = new ArrayList<>();
        try (BufferedReader lines = node.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode said = CommandClient.JSON.readTree(line);
                if (said.has("please")) {
                    director.please(said.path("please").asText());
                    node.outputWriter(StandardCharsets.UTF_8).append("done\n").flush();
                } else {
                    checks.add(check(said));
                }
            }
        }
        return checks;
    }

    private static Check check(JsonNode said) {
        return new Check(
                said.path("group").asText(),
                said.path("name").asText(),
                said.path("ok").asBoolean(),
                said.path("detail").asText());
    }
}
