package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.imageio.ImageIO;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** An agent looks at a picture of its workspace: a model that sees gets it, another one a note. */
public class ImagesIT {
    private static final String READ = "palyra.fs.read_file";

    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    private final List<JsonNode> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private ModelHouse house;
    private byte[] picture;

    @Before
    public void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
        Path root = temp.getRoot().toPath();
        Path conf = Files.createDirectories(root.resolve("state/conf"));
        Files.writeString(
                conf.resolve("palyra.policy.json"),
                "{\"disabledDefaults\":[\"sensitive_tools_need_approval\"]}");
        Files.writeString(
                conf.resolve("palyra.models.openai~near.json"),
                "{\"baseUrl\":\"http://127.0.0.1:"
                        + server.getAddress().getPort()
                        + "/v1\",\"visionModels\":[\"eye-*\"]}");
        house = ModelHouse.start(root, server.getAddress().getPort());
        picture = picture();
    }

    @After
    public void stop() {
        if (house != null) {
            house.close();
        }
        server.stop(0);
    }

    private static byte[] picture() throws IOException {
        BufferedImage pixels = new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB);
        pixels.setRGB(1, 1, 0xFF0000);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(pixels, "png", bytes);
        return bytes.toByteArray();
    }

    /** Proposes to read the picture, and then says what it got. */
    private void answer(HttpExchange exchange) throws IOException {
        JsonNode request = CommandClient.JSON.readTree(exchange.getRequestBody());
        asked.add(request);
        ObjectNode delta = CommandClient.JSON.createObjectNode();
        boolean told = request.toString().contains("\"role\":\"tool\"");
        if (told) {
            delta.put("content", urls(request).isEmpty() ? "I was told" : "I saw it");
        } else {
            delta.withArray("tool_calls")
                    .addObject()
                    .put("index", 0)
                    .put("id", "c1")
                    .put("type", "function")
                    .putObject("function")
                    .put("name", READ.replace('.', '_'))
                    .put("arguments", "{\"path\":\"shot.png\"}");
        }
        ObjectNode chunk = CommandClient.JSON.createObjectNode();
        chunk.withArray("choices")
                .addObject()
                .put("index", 0)
                .put("finish_reason", told ? "stop" : "tool_calls")
                .set("delta", delta);
        byte[] stream =
                ("data: " + chunk + "\n\ndata: [DONE]\n\n").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, stream.length);
        exchange.getResponseBody().write(stream);
        exchange.close();
    }

    private static List<String> urls(JsonNode request) {
        return request.path("messages").findValuesAsText("url");
    }

    private JsonNode look(String agent, String model) throws Exception {
        house.client()
                .run(
                        "agents",
                        "create",
                        agent,
                        "--provider",
                        "near",
                        "--model",
                        model,
                        "--tool",
                        READ)
                .ok();
        Path workspace =
                Files.createDirectories(
                        temp.getRoot().toPath().resolve("state-workspaces").resolve(agent));
        Files.write(workspace.resolve("shot.png"), picture);
        String run = house.begin(agent, "look at shot.png");
        assertEquals(house.tape(run).toString(), "SUCCEEDED", house.end(run));
        house.client().run("tape", "verify", run).ok();
        JsonNode record = house.of(run, "tool_call_output").get(0);
        JsonNode output = CommandClient.JSON.readTree(record.at("/content/outputJson").asText());
        assertEquals(record.toString(), 40, output.path("width").asInt());
        assertEquals(30, output.path("height").asInt());
        return record;
    }

    @Test
    public void aModelThatSeesGetsThePictureAndAnotherOneIsTold() throws Exception {
        JsonNode seen = look("seer", "eye-1");
        String data = Base64.getEncoder().encodeToString(picture);
        assertEquals(List.of("data:image/png;base64," + data), urls(asked.getLast()));
        assertEquals("image/png", seen.at("/content/images/0/mediaType").asText());
        assertEquals(data, seen.at("/content/images/0/data").asText());
        JsonNode untold = look("reader", "blind-1");
        assertEquals(List.of(), urls(asked.getLast()));
        assertFalse(untold.toString(), untold.path("content").has("images"));
        assertTrue(
                asked.getLast().toString(),
                asked.getLast().toString().contains("no model of the agent is declared to see"));
        assertTrue(
                "the environment is told: " + asked.get(0),
                asked.get(0).toString().contains("Where your tools work"));
    }
}
