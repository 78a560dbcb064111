package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultServer.Heard;

/** A collector on this machine gets the traces of messages by the product's own way out. */
public class TracingIT {
    @ClassRule public static final TemporaryFolder TEMP = new TemporaryFolder();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static FaultServer collector;
    private static GatewayProcess gateway;
    private static Path state;

    @BeforeClass
    public static void start() throws Exception {
        collector =
                FaultServer.open()
                        .otherwise(exchange -> exchange.answer(200, "application/json", "{}"));
        state = TEMP.getRoot().toPath().resolve("state");
        gateway =
                GatewayProcess.start(
                                Dist.copy(TEMP.getRoot().toPath().resolve("home")),
                                state,
                                "--set",
                                "palyra.sandbox.egress:allowPrivate=127.0.0.1:" + collector.port())
                        .awaitReady();
        gateway.client().runWith("Bearer s3cr3t", "vault", "put", "global/otlp").ok();
        configure(collector.url() + "/v1/traces");
    }

    @AfterClass
    public static void stop() {
        if (gateway != null) {
            gateway.close();
        }
        collector.close();
    }

    private static void configure(String endpoint) throws Exception {
        Path conf = Files.createDirectories(state.resolve("conf"));
        Files.writeString(
                conf.resolve("palyra.tracing.json"),
                "{\"endpoint\":\""
                        + endpoint
                        + "\",\"headers\":[\"Authorization: vault:global/otlp\"]}");
    }

    /** Returns the run that answered. */
    private static String ask(String text) throws Exception {
        String out = gateway.client().run("ask", "--new", "--json", text).ok().out();
        for (String line : out.lines().toList()) {
            String run = JSON.readTree(line).findPath("runId").asText();
            if (!run.isEmpty()) {
                return run;
            }
        }
        throw new AssertionError("no run in " + out);
    }

    private static List<JsonNode> spans() throws Exception {
        List<JsonNode> spans = new ArrayList<>();
        for (Heard heard : collector.heard()) {
            JSON.readTree(heard.body()).findValues("spans").forEach(all -> all.forEach(spans::add));
        }
        return spans;
    }

    private static String attribute(JsonNode span, String key) {
        for (JsonNode one : span.path("attributes")) {
            if (one.path("key").asText().equals(key)) {
                return one.path("value").path("stringValue").asText();
            }
        }
        return "";
    }

    /** Waits for the trace of a run and returns its root. */
    private static JsonNode root(String run) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        Wait.until(
                "the trace of " + run,
                PATIENCE,
                () -> {
                    for (JsonNode span : spans()) {
                        if (span.path("name").asText().equals("message")
                                && attribute(span, "palyra.run.id").equals(run)) {
                            found.add(span);
                        }
                    }
                    return !found.isEmpty();
                },
                gateway::console);
        return found.getFirst();
    }

    private static String metrics() throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(gateway.http() + "/metrics")).build(),
                        BodyHandlers.ofString())
                .body();
    }

    @Test
    public void messageIsTracedWithoutItsText() throws Exception {
        JsonNode root = root(ask("Kanarienvogel"));
        String message = attribute(root, "palyra.message.id");
        byte[] digest =
                MessageDigest.getInstance("SHA-256")
                        .digest(("palyra.trace.v1:" + message).getBytes(StandardCharsets.UTF_8));
        String trace = HexFormat.of().formatHex(digest).substring(0, 32);
        assertEquals(trace, root.path("traceId").asText());
        Set<String> names = new TreeSet<>();
        for (JsonNode span : spans()) {
            if (span.path("traceId").asText().equals(trace)) {
                names.add(span.path("name").asText());
            }
        }
        assertEquals(Set.of("message", "inbox", "run", "turn 1"), names);
        for (Heard heard : collector.heard()) {
            assertFalse(heard.body(), heard.body().contains("Kanarienvogel"));
            assertEquals("Bearer s3cr3t", heard.headers().get("authorization"));
        }
        assertTrue(metrics().contains("palyra_trace_spans_total{outcome=\"sent\"}"));
        String journal = gateway.client().run("tape", "show", "journal", "--json").ok().out();
        assertTrue(journal, journal.contains("\"purpose\":\"traces\""));
    }

    @Test
    public void swapLosesNoTraceAndCollectorsThatAreAwayHoldNothingUp() throws Exception {
        root(ask("one"));
        collector.goDown();
        String run = ask("two");
        gateway.client()
                .run("swap", "palyra.tracing", Dist.bundle("palyra.tracing").toString())
                .ok();
        collector.comeBack();
        root(run);
        assertTrue(gateway.client().run("status").ok().out().contains("ready"));
    }
}
