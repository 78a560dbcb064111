package palyra.models.internal.anthropic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelProvider;
import palyra.models.internal.Conversations;
import palyra.testing.http.FaultServer;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.model.RecordingSink;
import palyra.testing.model.RemoteDialect;

/** Blocks of tools that the server itself runs are passed over, whole or in pieces. */
class ServerToolsTest {
    private final AnthropicStage stage = new AnthropicStage();

    private RecordingSink ask(FaultServer.Scene scene) {
        RecordingSink sink = new RecordingSink();
        try (FaultServer server = FaultServer.open();
                LoopbackEgress egress = new LoopbackEgress()) {
            server.next(scene);
            ModelProvider provider =
                    stage.open(
                            new RemoteDialect.Setup(
                                    server.url(),
                                    "",
                                    60_000,
                                    60_000,
                                    10,
                                    1_000,
                                    egress,
                                    null,
                                    null));
            provider.start(Conversations.saying("run/1/1", "search"), sink);
            sink.awaitEnding(Duration.ofSeconds(30));
            stage.close(provider);
        }
        return sink;
    }

    private static String event(String type, String rest) {
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\"," + rest + "}\n\n";
    }

    private static String begins(int index, String block) {
        return event(
                "content_block_start", "\"index\":" + index + ",\"content_block\":{" + block + "}");
    }

    private static String input(int index, String escaped) {
        return event(
                "content_block_delta",
                "\"index\":"
                        + index
                        + ",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\""
                        + escaped
                        + "\"}");
    }

    @Test
    void serverToolsInAStreamDoNotFailTheTurn() {
        RecordingSink sink =
                ask(
                        exchange -> {
                            exchange.stream().send(stage.opening());
                            exchange.send(
                                    begins(
                                            0,
                                            "\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\","
                                                    + "\"name\":\"web_search\",\"input\":{}"));
                            exchange.send(input(0, "{\\\"query\\\":"), input(0, "\\\"x\\\"}"));
                            exchange.send(
                                    begins(
                                            1,
                                            "\"type\":\"web_search_tool_result\","
                                                    + "\"tool_use_id\":\"srvtoolu_1\","
                                                    + "\"content\":[]"));
                            exchange.send(
                                    begins(
                                            2,
                                            "\"type\":\"tool_use\",\"id\":\"t1\","
                                                    + "\"name\":\"note\",\"input\":{}"));
                            exchange.send(input(2, "{\\\"n\\\":1}"));
                            exchange.send(begins(3, "\"type\":\"text\",\"text\":\"found\""));
                            exchange.send(stage.ending(true), stage.closing());
                        });
        assertEquals("tool_calls", sink.awaitFinished().finishReason());
        assertEquals("found", sink.text());
        assertEquals(
                List.of("note{\"n\":1}"),
                sink.proposals().stream().map(p -> p.toolName() + p.inputJson()).toList());
    }

    @Test
    void serverToolsInAWholeAnswerDoNotFailTheTurn() {
        String block = "{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"x\",\"input\":{}}";
        RecordingSink sink =
                ask(
                        exchange ->
                                exchange.answer(
                                        200,
                                        "application/json",
                                        stage.whole("found")
                                                .replace(
                                                        "\"content\":[",
                                                        "\"content\":[" + block + ",")));
        assertEquals("found", sink.text());
        assertEquals(List.of(), sink.proposals());
    }

    /** Half an answer is no answer: the server waits to be asked to go on. */
    @Test
    void aTurnThatPausesForServerToolsFailsAndSaysSo() {
        RecordingSink sink =
                ask(
                        exchange ->
                                exchange.answer(
                                        200,
                                        "application/json",
                                        stage.whole("so far").replace("end_turn", "pause_turn")));
        ModelEvent.Failed failed = sink.awaitFailed();
        assertTrue(failed.message().contains("pause_turn"), failed.message());
    }
}
