package palyra.transport.openai.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.model.ModelEvent;
import palyra.testing.wait.Await;
import palyra.transport.openai.internal.http.RefusedException;

/** Responses against the real engine. */
@Timeout(120)
class ResponsesTest {
    private static final String RESPONSES = "/v1/responses";

    private TestServer server;
    private Client alice;

    @BeforeEach
    void start(@TempDir Path state) throws Exception {
        server = new TestServer(state);
        alice = server.client(server.token("user:alice", "integrator"));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private static ObjectNode input(String text) {
        return JsonNodeFactory.instance.objectNode().put("model", "default").put("input", text);
    }

    private static String text(JsonNode response) {
        StringBuilder text = new StringBuilder();
        for (JsonNode item : response.path("output")) {
            if (item.path("type").asText().equals("message")) {
                item.path("content").forEach(part -> text.append(part.path("text").asText()));
            }
        }
        return text.toString();
    }

    private String newestAsked() {
        return server.model.requests().getLast().messages().getLast().text();
    }

    @Test
    void answersAndGoesOnFromThePreviousResponse() {
        server.model.answer("One");
        server.model.answer("Two");
        Client.Answered first = alice.post(RESPONSES, input("A").put("instructions", "Be brief."));
        assertEquals(200, first.status());
        assertEquals("completed", first.body().path("status").asText());
        assertEquals("One", text(first.body()));
        assertTrue(newestAsked().contains("Be brief."), newestAsked());
        String id = first.body().path("id").asText();
        assertEquals("resp_" + first.header("X-Palyra-Run"), id);
        assertEquals(2, first.body().path("usage").path("total_tokens").asInt());
        assertEquals("One", text(alice.get(RESPONSES + "/" + id).body()));
        Client.Answered second = alice.post(RESPONSES, input("B").put("previous_response_id", id));
        assertEquals("Two", text(second.body()));
        assertEquals("B", newestAsked());
        Client.Answered fork = alice.post(RESPONSES, input("C").put("previous_response_id", id));
        assertEquals(400, fork.status());
        assertTrue(fork.message().contains("not the newest"), fork.message());
    }

    @Test
    void noResponseOfAnotherPrincipalIsThere() {
        server.model.answer("One");
        String id = alice.post(RESPONSES, input("A")).body().path("id").asText();
        Client bob = server.client(server.token("user:bob", "integrator"));
        assertEquals(404, bob.get(RESPONSES + "/" + id).status());
        assertEquals(404, bob.post(RESPONSES + "/" + id + "/cancel", input("x")).status());
        assertEquals(404, bob.post(RESPONSES, input("B").put("previous_response_id", id)).status());
        assertEquals(404, alice.get(RESPONSES + "/resp_x").status());
    }

    @Test
    void streamsItsEventsInOrder() {
        server.model.propose("palyra.nothing", "{}");
        server.model.turn(
                new ModelEvent.TextDelta("Do"),
                new ModelEvent.TextDelta("ne"),
                new ModelEvent.Finished("stop", 1, 1));
        Client.Streamed stream = alice.stream(RESPONSES, input("A"));
        List<JsonNode> events = stream.data();
        for (int i = 0; i < events.size(); i++) {
            assertEquals(i, events.get(i).path("sequence_number").asInt());
        }
        List<String> types = events.stream().map(event -> event.path("type").asText()).toList();
        assertEquals(
                List.of(
                        "response.created",
                        "response.in_progress",
                        "response.output_item.added",
                        "response.reasoning_summary_part.added",
                        "response.reasoning_summary_text.delta"),
                types.subList(0, 5));
        int text = types.indexOf("response.output_text.delta");
        assertEquals(
                List.of(
                        "response.reasoning_summary_text.done",
                        "response.reasoning_summary_part.done",
                        "response.output_item.done",
                        "response.output_item.added",
                        "response.content_part.added"),
                types.subList(text - 5, text));
        assertEquals(
                List.of(
                        "response.output_text.done",
                        "response.content_part.done",
                        "response.output_item.done",
                        "response.completed"),
                types.subList(types.size() - 4, types.size()));
        JsonNode last = events.getLast().path("response");
        assertEquals("Done", text(last));
        assertEquals("reasoning", last.path("output").path(0).path("type").asText());
        assertTrue(stream.lines().contains("event: response.completed"));
    }

    @Test
    void goesOnByTheItemsOfTheTranscript() {
        server.model.answer("One");
        server.model.answer("Two");
        Client.Answered first = alice.post(RESPONSES, input("A"));
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("model", "default");
        body.set("input", Client.messages("user", "A"));
        body.withArray("input").addObject().put("type", "reasoning").putArray("summary");
        body.withArray("input").add(first.body().path("output").path(0));
        body.withArray("input").addObject().put("role", "user").put("content", "B");
        assertEquals("Two", text(alice.post(RESPONSES, body).body()));
        assertEquals("B", newestAsked());
    }

    @Test
    void showsAndCancelsARunThatGoesOn() {
        server.model.hold(new ModelEvent.TextDelta("Lo"));
        CompletableFuture<Client.Streamed> stream =
                CompletableFuture.supplyAsync(() -> alice.stream(RESPONSES, input("A")));
        Await.until("it to run", TestServer.PATIENCE, () -> server.model.runningTurns() == 1);
        String id = "resp_" + server.runs("user:alice").getFirst().runId();
        assertEquals("in_progress", alice.get(RESPONSES + "/" + id).body().path("status").asText());
        alice.post(RESPONSES + "/" + id + "/cancel", input("x"));
        JsonNode last = stream.join().data().getLast();
        assertEquals("response.failed", last.path("type").asText());
        assertEquals("cancelled", last.path("response").path("status").asText());
        assertEquals("cancelled", alice.get(RESPONSES + "/" + id).body().path("status").asText());
    }

    @Test
    void aRunThatEndedIsReadToItsEndOrNotAtAll() throws Exception {
        server.model.answer("One");
        String id = alice.post(RESPONSES, input("A")).body().path("id").asText();
        Principal principal =
                new Principal(
                        "user:alice", PrincipalKind.USER, Set.of("integrator"), Set.of(), "test");
        assertEquals(
                "completed",
                new Requests(server.seams, 0, 60_000)
                        .response(principal, id)
                        .path("status")
                        .asText());
        RefusedException late =
                assertThrows(
                        RefusedException.class,
                        () -> new Requests(server.seams, 60_000, 0).cancel(principal, id));
        assertEquals(503, late.status());
        assertEquals("response_not_read", late.code());
    }

    @Test
    void saysThatOnlyTheStreamEnded() {
        server.model.hold(new ModelEvent.TextDelta("Lo"));
        CompletableFuture<Client.Streamed> stream =
                CompletableFuture.supplyAsync(() -> alice.stream(RESPONSES, input("A")));
        Await.until("it to run", TestServer.PATIENCE, () -> server.model.runningTurns() == 1);
        server.calls.closeAll("Closing.");
        JsonNode last = stream.join().data().getLast();
        assertEquals("error", last.path("type").asText());
        assertEquals("stream_ended", last.path("code").asText());
    }
}
