package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** The product asks a model server that this project did not write. */
public class ModelsIT {
    /** Takes the server about three seconds to say. */
    private static final String LONG =
            "The quick brown fox jumps over the lazy dog, and then it jumps back over the dog, and"
                    + " the dog sleeps on, and the fox goes home to sleep as well, and all is quiet"
                    + " in the evening, and in the morning it begins anew.";

    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private MockLlm server;
    private ModelHouse house;

    @Before
    public void start() throws Exception {
        server = MockLlm.start();
        house = ModelHouse.start(temp.getRoot().toPath(), server.port());
    }

    @After
    public void stop() throws Exception {
        if (house != null) {
            house.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void configureServer() throws Exception {
        house.configure(
                "palyra.models.openai~near",
                "{\"baseUrl\":\"http://127.0.0.1:"
                        + server.port()
                        + "/v1\",\"defaultModel\":\"some-model\"}");
    }

    private void agent(String name, String provider) throws Exception {
        house.client()
                .run("agents", "create", name, "--provider", provider, "--allow-missing")
                .ok();
    }

    @Test
    public void aServerThatIsConfiguredWhileItRunsAnswersInAStream() throws Exception {
        agent("near", "near");
        configureServer();
        CommandClient.Result answer = house.client().run("ask", "--agent", "near", "--json", LONG);
        assertEquals(answer.toString(), 0, answer.exit());
        String run = answer.json().path("runId").asText();
        assertEquals("SUCCEEDED", house.state(run));
        assertTrue(house.of(run, "model_token").size() > 3);
        StringBuilder said = new StringBuilder();
        for (JsonNode piece : house.of(run, "model_token")) {
            said.append(piece.path("content").path("text").asText());
        }
        assertEquals(LONG, said.toString());
        assertEquals(LONG, house.answer(run));
        reached();
        agent("built-in", "deterministic");
        assertEquals(
                "You said: hi\n",
                house.client()
                        .run("ask", "--agent", "built-in", "--session", "other", "hi")
                        .ok()
                        .out());
        house.client().run("tape", "verify", "--all").ok();
    }

    /** The connection was decided on and recorded as a model's. */
    private void reached() throws Exception {
        Wait.until(
                "the journal to have the connection",
                ModelHouse.PATIENCE,
                () ->
                        house.of("journal", "network_connect").stream()
                                .map(record -> record.path("content"))
                                .anyMatch(this::isOurs),
                house::console);
    }

    private boolean isOurs(JsonNode connection) {
        return connection.path("port").asInt() == server.port()
                && connection.path("purpose").asText().equals("model")
                && connection.path("verdict").asText().equals("allow");
    }

    @Test
    public void aRefusalOfTheServerEndsTheRunWithItsReason() throws Exception {
        configureServer();
        agent("near", "near");
        String run = house.begin("near", "please error-401");
        assertEquals("FAILED", house.end(run));
        String tape = house.tape(run).toString();
        assertTrue(tape, tape.contains("Incorrect API key provided"));
        assertTrue(tape, tape.contains("Model provider 'near'"));
        assertEquals("one attempt", 1, house.of(run, "turn_started").size());
    }

    @Test
    public void aLiteralKeyIsRefusedAndNeverRepeated() throws Exception {
        house.configure(
                "palyra.models.openai~far",
                "{\"baseUrl\":\"https://api.example.com/v1\",\"apiKey\":\"sk-literal-0123456789\"}");
        List<CommandClient.Result> last = new ArrayList<>();
        Wait.until(
                "the refusal",
                ModelHouse.PATIENCE,
                () -> {
                    last.add(0, house.client().run("doctor"));
                    return last.get(0).out().contains("palyra vault put");
                },
                () -> last.get(0) + house.console());
        assertFalse(house.console().contains("sk-literal"));
        assertFalse(last.get(0).out().contains("sk-literal"));
    }

    @Test
    public void aSwapInMidStreamStartsTheTurnAnewAndAnswersOnce() throws Exception {
        configureServer();
        agent("near", "near");
        String run = house.begin("near", LONG);
        Wait.until(
                "the first words",
                ModelHouse.PATIENCE,
                () -> !house.of(run, "model_token").isEmpty(),
                house::console);
        house.client().run("swap", "palyra.models", Dist.bundle("palyra.models").toString()).ok();
        assertEquals("SUCCEEDED", house.end(run));
        assertFalse(house.of(run, "turn_restarted").isEmpty());
        assertEquals(LONG, house.answer(run));
        house.client().run("tape", "verify", "--all").ok();
    }
}
