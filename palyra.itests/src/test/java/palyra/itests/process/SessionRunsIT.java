package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;

/**
 * What a run of a session leaves to the next ones: processes that outlive it, and, however it
 * ended, the story of what it did. And calls of one step that run at the same time.
 */
public class SessionRunsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String RUN = "palyra.process.run";
    private static final String START = "palyra.process.start";
    private static final String STATUS = "palyra.process.status";
    private static final String STOP = "palyra.process.stop";

    /** What the test's model server answers next, and what it was asked. */
    private static final Queue<String> ANSWERS = new ConcurrentLinkedQueue<>();

    private static final Queue<String> ASKED = new ConcurrentLinkedQueue<>();

    private static HttpServer server;
    private static UnprivilegedGateway gateway;

    @BeforeClass
    public static void start() throws Exception {
        server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 16);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", SessionRunsIT::answer);
        server.start();
        String place = "127.0.0.1:" + server.getAddress().getPort();
        gateway = UnprivilegedGateway.install();
        gateway.up(
                "--set",
                UnprivilegedGateway.LET_THE_TEST_IN,
                "--set",
                "palyra.sandbox.egress:allowPrivate=" + place,
                "--set",
                "palyra.models.openai~told:baseUrl=http://" + place,
                "--set",
                "palyra.models.openai~told:defaultModel=some-model");
        agent("worker", "--test", "true");
        agent("told", "--provider", "told");
        Wait.until(
                "tier C to be proven",
                PATIENCE,
                () -> gateway.run("sandbox", "run", "--tier", "c", "--", "true").exit() == 0,
                () -> "");
    }

    private static void agent(String name, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("agents", "create", name));
        words.addAll(List.of("--profile", "coding"));
        for (String tool : List.of(RUN, START, STATUS, STOP)) {
            words.addAll(List.of("--tool", tool));
        }
        words.addAll(List.of(more));
        gateway.client().run(words.toArray(String[]::new)).ok();
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
        server.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        ASKED.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String next = ANSWERS.poll();
        if (next == null) {
            exchange.sendResponseHeaders(401, -1);
        } else {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(next.getBytes(StandardCharsets.UTF_8));
        }
        exchange.close();
    }

    private static ObjectNode sh(String script) {
        ObjectNode input = CommandClient.JSON.createObjectNode().put("command", "sh");
        input.putArray("args").add("-c").add(script);
        return input;
    }

    private static ObjectNode call(String tool, ObjectNode input) {
        ObjectNode step = CommandClient.JSON.createObjectNode();
        step.putObject("call").put("tool", tool).set("input", input);
        return step;
    }

    /**
     * Has the worker make calls in one step of a session that it begins if need be; returns the run
     * as {@code ask} shows it.
     */
    private static JsonNode work(String session, ObjectNode... calls) throws Exception {
        ObjectNode script = CommandClient.JSON.createObjectNode();
        ArrayNode turns = script.putArray("turns");
        turns.addArray().addAll(List.of(calls));
        turns.addArray().addObject().put("say", "done");
        String[] ask = {"ask", "--json", "--agent", "worker", "--session", session, "-"};
        JsonNode run = gateway.runWith("#!palyra-script\n" + script, ask).ok().json();
        assertEquals(run.toString(), "SUCCEEDED", run.path("state").asText());
        return run;
    }

    private static List<JsonNode> results(String runId) throws Exception {
        List<JsonNode> results = new ArrayList<>();
        for (JsonNode record : gateway.client().run("tape", "show", runId, "--json").ok().lines()) {
            if (record.path("type").asText().equals("tool_call_output")) {
                String output = record.path("content").path("outputJson").asText();
                results.add(CommandClient.JSON.readTree(output));
            }
        }
        return results;
    }

    private static JsonNode only(JsonNode run) throws Exception {
        List<JsonNode> results = results(run.path("runId").asText());
        assertEquals(results.toString(), 1, results.size());
        return results.get(0);
    }

    private static ObjectNode nothing() {
        return CommandClient.JSON.createObjectNode();
    }

    private static long sleepers(String seconds) {
        return ProcessHandle.allProcesses()
                .filter(one -> one.info().commandLine().orElse("").endsWith("sleep " + seconds))
                .count();
    }

    private static void awaitNone(String seconds) throws Exception {
        Wait.until("its process to be gone", PATIENCE, () -> sleepers(seconds) == 0, () -> "");
    }

    @Test
    public void aProcessOutlivesItsRunAndTheNextOneSeesAndStopsIt() throws Exception {
        ObjectNode outliving = sh("echo up; exec sleep 5741").put("outlive_run", true);
        String session = "outliving";
        JsonNode first = work(session, call(START, outliving), call(START, sh("exec sleep 5742")));
        JsonNode started = results(first.path("runId").asText()).get(0);
        String ends = started.path("ends").asText();
        assertTrue(ends, ends.startsWith("with this session, "));
        awaitNone("5742"); // that of the other call ended with the run
        assertTrue("it goes on", sleepers("5741") > 0);

        JsonNode seen = only(work(session, call(STATUS, nothing()))).path("processes");
        assertEquals(seen.toString(), 1, seen.size());
        assertEquals(started.path("process_id"), seen.get(0).path("process_id"));
        assertEquals("running", seen.get(0).path("state").asText());
        assertTrue(seen.toString(), seen.get(0).path("outlives_run").asBoolean());
        JsonNode others = only(work("other", call(STATUS, nothing()))).path("processes");
        assertEquals("another session sees it: " + others, 0, others.size());

        ObjectNode it = nothing().put("process_id", started.path("process_id").asText());
        JsonNode stopped = only(work(session, call(STOP, it)));
        assertTrue(stopped.toString(), stopped.path("stopped").asBoolean());
        assertEquals("up\n", stopped.path("stdout").asText());
        awaitNone("5741");
    }

    @Test
    public void aProcessThatOutlivesItsRunEndsWithTheSession() throws Exception {
        ObjectNode outliving = sh("exec sleep 5743").put("outlive_run", true);
        work("archived", call(START, outliving));
        JsonNode next = work("archived", call(STATUS, nothing()));
        assertTrue("it goes on", sleepers("5743") > 0);
        gateway.client().run("sessions", "archive", next.path("sessionId").asText()).ok();
        awaitNone("5743");
    }

    /** Each waits for the other's file: one after the other, the first would time out. */
    @Test
    public void callsThatSayTheyAreParallelRunAtTheSameTime() throws Exception {
        JsonNode run = work("parallel", meeting("one", "two", true), meeting("two", "one", true));
        for (JsonNode result : results(run.path("runId").asText())) {
            assertEquals(result.toString(), "met\n", result.path("stdout").asText());
        }
        run = work("parallel", meeting("three", "four", false), meeting("four", "three", false));
        List<JsonNode> results = results(run.path("runId").asText());
        assertEquals("without the word the first is alone", "", out(results.get(0)));
        assertEquals("met\n", out(results.get(1)));
    }

    private static String out(JsonNode result) {
        return result.path("stdout").asText();
    }

    private static ObjectNode meeting(String own, String other, boolean parallel) {
        ObjectNode input =
                sh("touch " + own + "; until [ -e " + other + " ]; do sleep 0.05; done; echo met");
        input.put("timeout_ms", parallel ? 60_000 : 2_000);
        return call(RUN, parallel ? input.put("parallel", true) : input);
    }

    /** Returns the events of a model server that proposes a call. */
    private static String proposing(String script) {
        ObjectNode function =
                CommandClient.JSON
                        .createObjectNode()
                        .put("name", "palyra_process_run")
                        .put("arguments", sh(script).toString());
        ObjectNode call = CommandClient.JSON.createObjectNode().put("index", 0).put("id", "c1");
        call.put("type", "function").set("function", function);
        ObjectNode delta = CommandClient.JSON.createObjectNode();
        delta.putArray("tool_calls").add(call);
        return event(delta, null) + event(nothing(), "tool_calls") + "data: [DONE]\n\n";
    }

    private static String event(ObjectNode delta, String finish) {
        ObjectNode choice = CommandClient.JSON.createObjectNode();
        choice.set("delta", delta);
        choice.put("finish_reason", finish);
        ObjectNode event = CommandClient.JSON.createObjectNode();
        event.putArray("choices").add(choice);
        return "data: " + event + "\n\n";
    }

    private static JsonNode ask(String session, String text) throws Exception {
        String[] ask = {
            "ask", "--json", "--background", "--agent", "told", "--session", session, "-"
        };
        return gateway.runWith(text, ask).ok().json();
    }

    private static void awaitState(String runId, String state) throws Exception {
        Wait.until(
                "run " + runId + " to be " + state,
                PATIENCE,
                () ->
                        gateway.client()
                                .run("run", "show", runId, "--json")
                                .json()
                                .path("state")
                                .asText()
                                .equals(state),
                () -> "");
    }

    @Test
    public void whatAFailedAndACancelledRunDidIsToldToTheNextOne() throws Exception {
        ANSWERS.add(proposing("echo first-was-here > first"));
        String session = "told";
        JsonNode failed = ask(session, "Do the first thing.");
        awaitState(failed.path("runId").asText(), "FAILED"); // the server then refuses the key

        ANSWERS.add(proposing("echo begun > begun; echo second-output; sleep 5744"));
        String cancelled = ask(session, "Do the second thing.").path("runId").asText();
        Wait.until(
                "the call to run",
                PATIENCE,
                () -> Files.exists(gateway.workspace("told").resolve("begun")),
                () -> "");
        gateway.client().run("run", "cancel", cancelled).ok();
        awaitState(cancelled, "CANCELLED");

        ASKED.clear();
        ANSWERS.add(event(nothing().put("content", "All told."), null) + event(nothing(), "stop"));
        String last = ask(session, "What was done?").path("runId").asText();
        awaitState(last, "SUCCEEDED");
        String asked = ASKED.remove();
        for (String part :
                List.of(
                        "Do the first thing.",
                        "echo first-was-here > first",
                        "[This run ended FAILED without an answer",
                        "Do the second thing.",
                        "second-output",
                        "[This run ended CANCELLED without an answer",
                        "What was done?")) {
            assertTrue(part + " in " + asked, asked.contains(part));
        }
        assertFalse(asked, asked.contains("All told."));
    }
}
