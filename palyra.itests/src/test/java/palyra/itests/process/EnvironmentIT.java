package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import palyra.itests.Wait;

/** What a model is told of the place where its commands run, in the product itself. */
public class EnvironmentIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<JsonNode> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private UnprivilegedGateway gateway;

    @Before
    public void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
        String place = "127.0.0.1:" + server.getAddress().getPort();
        gateway =
                UnprivilegedGateway.install()
                        .up(
                                "--set",
                                "palyra.sandbox.egress:allowPrivate=" + place,
                                "--set",
                                "palyra.models.openai~near:baseUrl=http://" + place + "/v1");
        gateway.run(
                        "agents",
                        "create",
                        "coder",
                        "--provider",
                        "near",
                        "--allow-missing",
                        "--profile",
                        "coding",
                        "--tool",
                        "palyra.process.shell")
                .ok();
    }

    @After
    public void stop() throws Exception {
        gateway.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(CommandClient.JSON.readTree(exchange.getRequestBody()));
        byte[] stream =
                ("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"fine\"},"
                                + "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
                        .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, stream.length);
        exchange.getResponseBody().write(stream);
        exchange.close();
    }

    /** Asks in a session of its own and returns the instructions of the request. */
    private String instructions() throws Exception {
        gateway.run("ask", "--new", "--agent", "coder", "hello").ok();
        JsonNode first = asked.getLast().path("messages").get(0);
        assertEquals(first.toString(), "system", first.path("role").asText());
        return first.path("content").asText();
    }

    @Test
    public void theInstructionsTellSandboxProgramsLimitsNetworkAndFolders() throws Exception {
        Wait.until(
                "tier C to be proven",
                PATIENCE,
                () -> gateway.run("sandbox", "run", "--tier", "c", "--", "true").exit() == 0,
                () -> "no tier C");
        String told = instructions();
        assertTrue(told, told.startsWith("Where your tools work (told by the gateway):\n"));
        assertTrue(told, told.contains("tier C") && told.contains("policy profile coding."));
        String programs =
                told.lines().filter(line -> line.startsWith("- Programs, ")).findFirst().orElse("");
        assertTrue(told, programs.contains("bash"));
        assertTrue(told, told.contains("- Network: none"));
        assertTrue(told, told.contains(gateway.workspace("coder") + ", is what stays"));
        assertTrue(told, told.contains("- Tool calls: at most 100 in one run."));
        assertTrue(told, told.getBytes(StandardCharsets.UTF_8).length <= 1_600);
        assertEquals("the same for the next run", told, instructions());
        assertFalse(asked.isEmpty());
    }
}
