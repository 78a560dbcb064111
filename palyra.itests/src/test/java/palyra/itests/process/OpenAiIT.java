package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** A chat client asks agents over HTTP, while bundles are replaced and the process is killed. */
public class OpenAiIT {
    @ClassRule public static final TemporaryFolder TEMP = new TemporaryFolder();

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Path home;
    private static Path state;
    private static GatewayProcess gateway;
    private static String token;

    @BeforeClass
    public static void start() throws Exception {
        home = Dist.copy(TEMP.getRoot().toPath().resolve("home"));
        state = TEMP.getRoot().toPath().resolve("state");
        gateway = GatewayProcess.start(home, state).awaitReady();
        token =
                gateway.client()
                        .run(
                                "access",
                                "token-create",
                                "web",
                                "--principal",
                                "user:web",
                                "--group",
                                "integrator",
                                "--json")
                        .ok()
                        .json()
                        .path("secret")
                        .asText();
        gateway.client()
                .run(
                        "agents",
                        "create",
                        "writer",
                        "--test",
                        "true",
                        "--tool",
                        "palyra.fs.write_file")
                .ok();
    }

    @AfterClass
    public static void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    private static ObjectNode chat(String text) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("model", "writer");
        body.putArray("messages").addObject().put("role", "user").put("content", text);
        return body;
    }

    /** A script of one turn that says words slowly. */
    private static ObjectNode slowly(String text) {
        return chat(
                "#!palyra-script\n{\"turns\":[[{\"say\":\"" + text + "\",\"chunkMillis\":400}]]}");
    }

    private static HttpRequest request(ObjectNode body, String... headers) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(gateway.http() + "/v1/chat/completions"))
                        .timeout(PATIENCE)
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    private static HttpResponse<String> ask(ObjectNode body, String... headers) throws Exception {
        return HTTP.send(request(body, headers), HttpResponse.BodyHandlers.ofString());
    }

    private static String content(HttpResponse<String> response) throws IOException {
        return CommandClient.JSON
                .readTree(response.body())
                .path("choices")
                .path(0)
                .path("message")
                .path("content")
                .asText();
    }

    /** A stream that is being read. */
    private static final class Stream {
        final List<String> lines = new CopyOnWriteArrayList<>();
        final CompletableFuture<Void> end;

        Stream(ObjectNode body, String... headers) throws IOException {
            HttpRequest request = request(body.put("stream", true), headers);
            end = CompletableFuture.runAsync(() -> read(request));
        }

        private void read(HttpRequest request) {
            try {
                HttpResponse<InputStream> response =
                        HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
                try (BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                    in.lines().forEach(lines::add);
                }
            } catch (IOException | UncheckedIOException e) {
                lines.add("broken");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private String joined(String field) {
            StringBuilder all = new StringBuilder();
            try {
                for (String line : lines) {
                    if (line.startsWith("data: {")) {
                        JsonNode chunk = CommandClient.JSON.readTree(line.substring(6));
                        all.append(
                                chunk.path("choices").path(0).path("delta").path(field).asText(""));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return all.toString();
        }

        Stream awaits(String field, String text) throws Exception {
            Wait.until(
                    "'" + text + "' in the stream",
                    PATIENCE,
                    () -> joined(field).contains(text) || end.isDone(),
                    () -> lines + gateway.console());
            assertTrue(lines.toString(), joined(field).contains(text));
            return this;
        }
    }

    private static void swap(String bundle) throws Exception {
        gateway.client().run("swap", bundle, Dist.bundle(bundle).toString()).ok();
    }

    private static long runsOf(String key) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            ids.add(
                    ask(slowly("one two three four five six"), "Idempotency-Key", key)
                            .headers()
                            .firstValue("X-Palyra-Run")
                            .orElse(""));
        }
        return ids.stream().distinct().count();
    }

    @Test
    public void aSwapOfFrontAndGatewayUnderAStreamNeitherRepeatsNorSkips() throws Exception {
        Stream stream = new Stream(slowly("one two three four five six seven eight"));
        stream.awaits("content", "two");
        swap("palyra.front");
        swap("palyra.gateway");
        stream.end.join();
        assertEquals(
                stream.lines.toString(),
                "one two three four five six seven eight",
                stream.joined("content"));
        assertEquals("data: [DONE]", stream.lines.get(stream.lines.size() - 2));
    }

    @Test
    public void aSwapOfThisBundleEndsTheStreamAndARepeatGetsTheAnswer() throws Exception {
        ObjectNode body = slowly("one two three four five six");
        Stream stream = new Stream(body.deepCopy(), "Idempotency-Key", "swap");
        stream.awaits("content", "two");
        swap("palyra.transport.openai");
        stream.end.join();
        assertTrue(stream.lines.toString(), stream.lines.toString().contains("stream_ended"));
        AtomicReference<HttpResponse<String>> last = new AtomicReference<>();
        Wait.until(
                "the server to be back",
                PATIENCE,
                () -> {
                    last.set(ask(body, "Idempotency-Key", "swap"));
                    return last.get().statusCode() != 503;
                },
                gateway::console);
        assertEquals("one two three four five six", content(last.get()));
        assertEquals(1, runsOf("swap"));
    }

    @Test
    public void aKilledGatewayAnswersARepeatByTheFirstRun() throws Exception {
        ObjectNode body = slowly("one two three four five six");
        Stream stream = new Stream(body.deepCopy(), "Idempotency-Key", "kill");
        stream.awaits("content", "two");
        gateway.kill();
        stream.end.join();
        assertFalse(stream.lines.toString(), stream.lines.contains("data: [DONE]"));
        gateway = GatewayProcess.start(home, state).awaitReady();
        HttpResponse<String> again = ask(body, "Idempotency-Key", "kill");
        assertEquals(again.body(), "one two three four five six", content(again));
        assertEquals(1, runsOf("kill"));
    }

    @Test
    public void anApprovalIsSeenAndAnsweredElsewhere() throws Exception {
        ObjectNode body =
                chat(
                        "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\"palyra.fs.write_file\","
                                + "\"input\":{\"path\":\"a.txt\",\"content\":\"x\"}}}],"
                                + "[{\"say\":\"written\"}]]}");
        Stream stream = new Stream(body, "X-Palyra-Session", "approval");
        stream.awaits("reasoning_content", "Waiting for an approval (");
        HttpResponse<String> busy = ask(chat("now"), "X-Palyra-Session", "approval");
        assertEquals(busy.body(), 409, busy.statusCode());
        assertTrue(busy.headers().firstValue("Retry-After").isPresent());
        String reasoning = stream.joined("reasoning_content");
        String id = reasoning.replaceAll("(?s).*Waiting for an approval \\(([0-9A-Z]+)\\).*", "$1");
        gateway.client().run("approvals", "decide", id, "--allow").ok();
        stream.awaits("content", "written");
        stream.end.join();
        assertTrue(stream.joined("reasoning_content").contains("Approved by "));
        assertEquals(200, ask(chat("now"), "X-Palyra-Session", "approval").statusCode());
    }

    @Test
    public void theServerIsAbsentOnlyAsSomethingToTryAgain() throws Exception {
        gateway.client().run("bundle", "stop", "palyra.transport.openai").ok();
        HttpResponse<String> away = ask(chat("hi"));
        assertEquals(away.body(), 503, away.statusCode());
        assertTrue(away.body(), away.body().contains("\"error\""));
        gateway.client().run("bundle", "start", "palyra.transport.openai").ok();
        Wait.until(
                "the server to be back",
                PATIENCE,
                () -> ask(chat("hi")).statusCode() == 200,
                gateway::console);
    }
}
