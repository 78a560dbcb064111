package palyra.bench.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.bench.report.Latencies;

/** Cedar's own WebAssembly build with a prepared policy set, in a node process. */
final class CedarWasm implements Contestant {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PACKAGE = "@cedar-policy/cedar-wasm";
    private static final String VERSION = "4.10.0";
    private static final String SCRIPT = "cedar-wasm.cjs";
    private static final long INSTALL_SECONDS = 120;
    private static final long STOP_SECONDS = 10;

    private final Process node;
    private final Writer questions;
    private final BufferedReader answers;

    private CedarWasm(Process node) {
        this.node = node;
        this.questions = node.outputWriter(StandardCharsets.UTF_8);
        this.answers = node.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts it, after npm has put the package into the folder if it is not there yet.
     *
     * @return empty when node or npm is not there or the package cannot be had
     */
    static Optional<CedarWasm> open(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        if (!runs(folder, "node", "--version") || !(installed(folder) || install(folder))) {
            return Optional.empty();
        }
        Path script = folder.resolve(SCRIPT);
        try (InputStream text = CedarWasm.class.getResourceAsStream(SCRIPT)) {
            Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
        }
        return Optional.of(
                new CedarWasm(
                        new ProcessBuilder("node", script.toString(), folder.toString())
                                .redirectError(ProcessBuilder.Redirect.INHERIT)
                                .start()));
    }

    /** Returns whether the package is there, so that nobody has to be asked for it. */
    static boolean installed(Path folder) throws IOException {
        Path manifest = folder.resolve("node_modules").resolve(PACKAGE).resolve("package.json");
        return Files.isReadable(manifest)
                && JSON.readTree(manifest.toFile()).path("version").asText().equals(VERSION);
    }

    private static boolean install(Path folder) throws IOException, InterruptedException {
        return runs(
                folder,
                "npm",
                "install",
                "--prefix",
                folder.toString(),
                "--no-audit",
                "--no-fund",
                "--no-save",
                "--ignore-scripts",
                PACKAGE + "@" + VERSION);
    }

    private static boolean runs(Path folder, String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("install.log").toFile())
                            .start();
            if (!process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false; // there is no such program
        }
    }

    @Override
    public String name() {
        return "cedar-wasm " + VERSION + " in node, prepared";
    }

    @Override
    public void prepare(Scenario scenario) throws IOException {
        ObjectNode question = JSON.createObjectNode();
        ObjectNode prepare = question.putObject("prepare");
        prepare.put("policies", scenario.text());
        prepare.set("entities", JSON.readTree(scenario.entitiesJson()));
        ArrayNode asks = prepare.putArray("asks");
        for (Scenario.Ask ask : scenario.asks()) {
            ObjectNode node = asks.addObject();
            node.set("principal", JSON.readTree(ask.principal().json()));
            node.set("action", JSON.readTree(ask.action().json()));
            node.set("resource", JSON.readTree(ask.resource().json()));
            node.set("context", JSON.readTree(ask.contextJson()));
        }
        ask(question);
    }

    @Override
    public Round round(long nanos) throws IOException {
        ObjectNode question = JSON.createObjectNode();
        question.putObject("round").put("nanos", nanos).put("most", Round.MOST);
        JsonNode answer = ask(question);
        Latencies latencies = new Latencies();
        answer.path("nanos").forEach(each -> latencies.add(each.asLong()));
        BitSet allowed = new BitSet();
        List<JsonNode> said = answer.path("allowed").valueStream().toList();
        for (int i = 0; i < said.size(); i++) {
            allowed.set(i, said.get(i).asBoolean());
        }
        return new Round(latencies, allowed);
    }

    private JsonNode ask(JsonNode question) throws IOException {
        questions.write(JSON.writeValueAsString(question) + "\n");
        questions.flush();
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the node process of cedar-wasm has ended");
        }
        JsonNode answer = JSON.readTree(line);
        if (answer.has("error")) {
            throw new IOException("cedar-wasm failed: " + answer.path("error").asText());
        }
        return answer;
    }

    @Override
    public void close() {
        node.destroy();
        try {
            if (!node.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                node.destroyForcibly();
            }
        } catch (InterruptedException e) {
            node.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
