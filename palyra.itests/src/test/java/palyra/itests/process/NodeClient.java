package palyra.itests.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.itests.Dist;

/** The client of src/test/node: knows the .proto files and nothing of this code. */
final class NodeClient {
    private static final long INSTALL_MINUTES = 10;
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

    /**
     * Copies the client beside the other results of the build and fetches what it needs; another
     * JVM that wants the same waits.
     */
    static NodeClient install() throws Exception {
        Path module = Dist.root().resolve("palyra.itests");
        Path folder = module.resolve("target/node-client");
        try (FileChannel lock =
                        FileChannel.open(
                                module.resolve("target/node-client.lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            return install(module, folder);
        }
    }

    private static NodeClient install(Path module, Path folder) throws Exception {
        copy(module.resolve("src/test/node"), folder);
        Path lock = folder.resolve("package-lock.json");
        Path installed = folder.resolve("node_modules/installed-lock.json");
        if (!Files.exists(installed) || Files.mismatch(lock, installed) >= 0) {
            npm(folder);
            Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
        }
        return new NodeClient(folder);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (file.startsWith(from.resolve("node_modules"))) {
                    continue; // somebody tried the client where it stands
                }
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static void npm(Path folder) throws Exception {
        Path log = folder.resolve("npm.log");
        Process npm =
                start(folder, log, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        if (!npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
            npm.destroyForcibly();
            throw new AssertionError("npm ci does not succeed:\n" + Files.readString(log));
        }
    }

    private static Process start(Path folder, Path log, String... command) {
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw missing(command[0], e);
        }
    }

    private static AssertionError missing(String program, IOException e) {
        return new AssertionError(
                "there is no "
                        + program
                        + ": install node 18 or newer and npm (apt-get install nodejs npm)",
                e);
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
            throw missing("node", e);
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
