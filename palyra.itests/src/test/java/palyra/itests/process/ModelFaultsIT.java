package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The product asks a server that fails: what becomes of the run, its tape and what the client is
 * told. What the provider makes of each fault is tested with the provider.
 */
public class ModelFaultsIT {
    @ClassRule public static final TemporaryFolder TEMP = new TemporaryFolder();

    private static final String STOP =
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    private static final String CALLS =
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
    private static final Queue<Answer> ANSWERS = new ConcurrentLinkedQueue<>();
    private static final Queue<String> ASKED = new ConcurrentLinkedQueue<>();

    private static HttpServer server;
    private static ModelHouse house;

    /** What a server does with one request. */
    private interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }

    @BeforeClass
    public static void start() throws Exception {
        server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 16);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", ModelFaultsIT::answer);
        server.start();
        int port = server.getAddress().getPort();
        house = ModelHouse.start(TEMP.getRoot().toPath(), port);
        house.configure(
                "palyra.models.openai~faulty",
                "{\"baseUrl\":\"http://127.0.0.1:"
                        + port
                        + "\",\"defaultModel\":\"some-model\",\"betweenTokensMillis\":2000,"
                        + "\"breakerFailures\":1000}");
        house.client()
                .run(
                        "agents",
                        "create",
                        "faulty",
                        "--provider",
                        "faulty",
                        "--tool",
                        "palyra.echo",
                        "--allow-missing")
                .ok();
    }

    @AfterClass
    public static void stop() {
        if (house != null) {
            house.close();
        }
        if (server != null) {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        ASKED.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Answer next = ANSWERS.poll();
        if (next == null) {
            exchange.sendResponseHeaders(500, -1);
        } else {
            next.give(exchange);
        }
        exchange.close();
    }

    private static String said(String text) {
        return delta("\"content\":\"" + text + "\"");
    }

    private static String delta(String fields) {
        return "data: {\"choices\":[{\"delta\":{" + fields + "}}]}\n\n";
    }

    private static Answer stream(String... events) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            for (String event : events) {
                exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
            }
        };
    }

    private static Answer status(int status, String code) {
        return exchange -> {
            byte[] body =
                    ("{\"error\":{\"code\":\"" + code + "\",\"message\":\"The server's reason.\"}}")
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        };
    }

    private static String run(Answer... answers) throws Exception {
        ANSWERS.clear();
        ASKED.clear();
        ANSWERS.addAll(List.of(answers));
        return house.begin("faulty", "go");
    }

    private static void succeeds(String answer, String run) throws Exception {
        assertEquals(house.tape(run).toString(), "SUCCEEDED", house.end(run));
        List<JsonNode> finished = house.of(run, "turn_finished");
        JsonNode last = finished.get(finished.size() - 1);
        assertEquals(answer, last.path("content").path("text").asText());
        assertEquals(1, house.of(run, "message").stream().filter(ModelFaultsIT::isAnswer).count());
    }

    private static boolean isAnswer(JsonNode message) {
        return message.path("content").path("role").asText().equals("AGENT");
    }

    @Test
    public void whatPassesIsTriedAgainAndWhatWasHalfIsDropped() throws Exception {
        String run = run(status(503, "busy"), stream(said("half")), stream(said("all"), STOP));
        succeeds("all", run);
        assertEquals(2, house.of(run, "turn_restarted").size());
        house.client().run("tape", "verify", run).ok();
    }

    @Test
    public void silenceInTheMiddleIsTriedAgain() throws Exception {
        String run =
                run(
                        exchange -> {
                            stream(said("half")).give(exchange);
                            pause();
                        },
                        stream(said("all"), STOP));
        succeeds("all", run);
        String restarted = house.of(run, "turn_restarted").toString();
        assertTrue(restarted, restarted.contains("nothing more came within 2000 ms"));
    }

    private static void pause() {
        try {
            TimeUnit.SECONDS.sleep(8);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    public void garbageIsTriedAgain() throws Exception {
        succeeds("all", run(stream("data: {\"choices\n\n"), stream(said("all"), STOP)));
    }

    @Test
    public void whatDoesNotPassEndsTheRunAtOnceWithTheServersReason() throws Exception {
        for (Answer answer :
                List.of(
                        status(400, "invalid_value"),
                        status(401, "invalid_api_key"),
                        status(402, "payment_required"),
                        status(429, "insufficient_quota"))) {
            String run = run(answer, stream(said("never"), STOP));
            assertEquals("FAILED", house.end(run));
            assertEquals(1, ASKED.size());
            String tape = house.tape(run).toString();
            assertTrue(tape, tape.contains("The server's reason."));
            assertFalse(tape, tape.contains("never"));
        }
    }

    @Test
    public void aConversationThatIsTooLongIsShownOnceMoreAtHalfItsSize() throws Exception {
        Answer tooLong = status(400, "context_length_exceeded");
        String run = run(tooLong, tooLong, stream(said("never"), STOP));
        assertEquals("FAILED", house.end(run));
        assertEquals(2, ASKED.size());
        assertFalse(house.tape(run).toString().contains("never"));
        succeeds("short enough", run(tooLong, stream(said("short enough"), STOP)));
    }

    @Test
    public void aFilterEndsTheRunAndTheClientIsToldWhy() throws Exception {
        ANSWERS.clear();
        ANSWERS.add(
                stream(
                        said("I "),
                        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}"
                                + "\n\n"));
        CommandClient.Result told =
                house.client().run("ask", "--agent", "faulty", "--session", "filtered", "go");
        assertNotEquals(0, told.exit());
        assertTrue(told.toString(), (told.out() + told.err()).contains("refused to answer"));
    }

    @Test
    public void callsInPiecesAreMadeAndTheirResultsHandedOver() throws Exception {
        String run =
                run(
                        stream(
                                call("\"index\":0,\"id\":\"a\"", "palyra_echo", "{\\\"text\\\":"),
                                call("\"index\":1,\"id\":\"b\"", "palyra_echo", ""),
                                call("\"index\":1", "", "{\\\"text\\\":\\\"two\\\",}"),
                                call("\"index\":0", "", "\\\"one\\\"}"),
                                CALLS),
                        stream(said("both came"), STOP));
        succeeds("both came", run);
        assertEquals(2, house.of(run, "tool_call_output").size());
        String second = List.copyOf(ASKED).get(1);
        assertTrue(
                second, second.matches("(?s).*\"role\":\"tool\".*one.*\"role\":\"tool\".*two.*"));
        assertTrue(second, second.contains("\"name\":\"palyra_echo\""));
    }

    private static String call(String where, String name, String input) {
        return delta(
                "\"tool_calls\":[{"
                        + where
                        + ",\"function\":{\"name\":\""
                        + name
                        + "\",\"arguments\":\""
                        + input
                        + "\"}}]");
    }

    @Test
    public void aCutInputIsReportedToTheModelAndNotMadeUp() throws Exception {
        String run =
                run(
                        stream(
                                call(
                                        "\"index\":0,\"id\":\"a\"",
                                        "palyra_echo",
                                        "{\\\"text\\\":\\\"o"),
                                CALLS),
                        stream(said("sorry"), STOP));
        succeeds("sorry", run);
        String second = List.copyOf(ASKED).get(1);
        assertTrue(second, second.contains("malformed_input"));
    }

    /** An agent changes from one kind of provider to the other while the gateway runs. */
    @Test
    public void anAgentChangesOverToTheOtherKindOfServer() throws Exception {
        house.configure(
                "palyra.models.anthropic~claude",
                "{\"baseUrl\":\"http://127.0.0.1:"
                        + server.getAddress().getPort()
                        + "\",\"defaultModel\":\"some-model\"}");
        house.client()
                .run("agents", "create", "moving", "--provider", "faulty", "--allow-missing")
                .ok();
        ANSWERS.clear();
        ASKED.clear();
        ANSWERS.add(stream(said("from the one"), STOP));
        ANSWERS.add(
                stream(
                        block(
                                "{\"type\":\"message_start\",\"message\":{\"usage\":"
                                        + "{\"input_tokens\":5}}}"),
                        block(
                                "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                                        + "{\"type\":\"text_delta\",\"text\":\"from the other\"}}"),
                        block(
                                "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
                                        + "\"end_turn\"},\"usage\":{\"output_tokens\":3}}"),
                        block("{\"type\":\"message_stop\"}")));
        succeeds("from the one", house.begin("moving", "go"));
        house.client().run("agents", "update", "moving", "--provider", "claude").ok();
        succeeds("from the other", house.begin("moving", "go on"));
        String second = List.copyOf(ASKED).get(1);
        assertTrue(second, second.contains("\"max_tokens\":8192"));
    }

    private static String block(String data) {
        return "data: " + data + "\n\n";
    }
}
