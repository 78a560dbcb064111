package palyra.itests.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** A gateway of its own whose agents ask a model server of the test. */
final class ModelHouse implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path folder;
    private final GatewayProcess gateway;

    private ModelHouse(Path folder, GatewayProcess gateway) {
        this.folder = folder;
        this.gateway = gateway;
    }

    /** Starts it; it may connect to these ports of this machine. */
    static ModelHouse start(Path folder, int... ports) throws Exception {
        StringBuilder places = new StringBuilder();
        for (int port : ports) {
            places.append(places.isEmpty() ? "" : ",").append("127.0.0.1:").append(port);
        }
        Path home = Dist.copy(folder.resolve("home"));
        return new ModelHouse(
                folder,
                GatewayProcess.start(
                                home,
                                folder.resolve("state"),
                                "--set",
                                "palyra.sandbox.egress:allowPrivate=" + places)
                        .awaitReady());
    }

    /** Puts a configuration where operators do, whole at once. */
    void configure(String pid, String json) throws Exception {
        Path conf = Files.createDirectories(folder.resolve("state/conf"));
        Path aside = Files.writeString(folder.resolve("aside.json"), json);
        Files.move(aside, conf.resolve(pid + ".json"), StandardCopyOption.ATOMIC_MOVE);
    }

    CommandClient client() {
        return gateway.client();
    }

    String console() {
        return gateway.console();
    }

    List<JsonNode> tape(String run) throws Exception {
        return client().run("tape", "show", run, "--json").ok().lines();
    }

    List<JsonNode> of(String run, String type) throws Exception {
        return tape(run).stream()
                .filter(record -> record.path("type").asText().equals(type))
                .toList();
    }

    /** Returns the whole text of the turn that ended well; there is exactly one. */
    String answer(String run) throws Exception {
        List<JsonNode> finished = of(run, "turn_finished");
        if (finished.size() != 1) {
            throw new AssertionError("turns that finished: " + finished);
        }
        return finished.get(0).path("content").path("text").asText();
    }

    String state(String run) throws Exception {
        JsonNode shown = client().run("run", "show", run, "--json").ok().json();
        return shown.path("state").asText();
    }

    /** Begins a run and returns its id. */
    String begin(String agent, String text) throws Exception {
        return client().runWith(text, "ask", "--background", "--agent", agent, "-")
                .ok()
                .out()
                .strip();
    }

    /** Waits for the end of a run and returns its state. */
    String end(String run) throws Exception {
        Wait.until(
                "the run to end",
                PATIENCE,
                () -> List.of("SUCCEEDED", "FAILED", "CANCELLED").contains(state(run)),
                gateway::console);
        return state(run);
    }

    @Override
    public void close() {
        gateway.close();
    }
}
