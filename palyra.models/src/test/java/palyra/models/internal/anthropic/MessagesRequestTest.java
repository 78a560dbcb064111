package palyra.models.internal.anthropic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.model.ModelCaller;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolImage;
import palyra.models.internal.http.ToolNames;
import palyra.testing.model.RemoteDialect;

/** The request as it goes over the wire, word for word. */
class MessagesRequestTest {
    private static final AnthropicSettings SETTINGS =
            AnthropicStage.settings(
                    new RemoteDialect.Setup(
                            "http://127.0.0.1:1", "", 1, 1, 1, 1, null, null, null));

    private static final ToolDescriptor TOOL =
            new ToolDescriptor(
                    "palyra.echo",
                    "Says it again.",
                    "{\"type\":\"object\"}",
                    Set.of(),
                    true,
                    true,
                    1,
                    100);

    private static String json(ModelRequest request) {
        return new String(
                new MessagesRequest(SETTINGS, ToolNames.of(request)).json(request),
                StandardCharsets.UTF_8);
    }

    private static ModelRequest request(
            Map<String, String> options, int limit, ModelMessage... messages) {
        return new ModelRequest(
                "1",
                "run-1",
                "claude",
                List.of(messages),
                List.of(TOOL),
                false,
                0,
                ModelCaller.UNKNOWN,
                limit,
                options);
    }

    private static ToolProposal call(String id, String input) {
        return new ToolProposal(id, "palyra.echo", input);
    }

    @Test
    void writesAConversationWithCalls() {
        String json =
                json(
                        request(
                                Map.of("temperature", "0.5"),
                                0,
                                new ModelMessage.System("Be brief."),
                                new ModelMessage.User("hi"),
                                new ModelMessage.Assistant(
                                        "",
                                        List.of(call("r.1.0", "{\"a\":1}"), call("r.1.1", "{"))),
                                new ModelMessage.User("a note"),
                                new ModelMessage.ToolOutput("r.1.0", "palyra.echo", true, "one"),
                                new ModelMessage.ToolOutput("r.1.1", "palyra.echo", false, "no"),
                                new ModelMessage.System("And kind."),
                                new ModelMessage.User("go on")));
        assertEquals(
                """
                {"model":"claude","max_tokens":8192,"stream":true,\
                "system":"Be brief.\\n\\nAnd kind.","messages":[\
                {"role":"user","content":[{"type":"text","text":"hi"}]},\
                {"role":"assistant","content":[\
                {"type":"tool_use","id":"call00001","name":"palyra_echo","input":{"a":1}},\
                {"type":"tool_use","id":"call00002","name":"palyra_echo",\
                "input":{"malformed_input":"{"}}]},\
                {"role":"user","content":[\
                {"type":"tool_result","tool_use_id":"call00001","content":"one"},\
                {"type":"tool_result","tool_use_id":"call00002","content":"no","is_error":true},\
                {"type":"text","text":"a note"},{"type":"text","text":"go on"}]}],\
                "tools":[{"name":"palyra_echo","description":"Says it again.",\
                "input_schema":{"type":"object"}}],"temperature":0.5}""",
                json);
    }

    @Test
    void imagesOfAnOutputArePartOfItsResult() {
        ToolImage image = ToolImage.of("image/webp", new byte[] {1, 2, 3});
        String json =
                json(
                        request(
                                Map.of(),
                                0,
                                new ModelMessage.User("look"),
                                new ModelMessage.Assistant("", List.of(call("r.1.0", "{}"))),
                                new ModelMessage.ToolOutput(
                                        "r.1.0", "palyra.echo", true, "one", List.of(image))));
        assertTrue(
                json.contains(
                        """
                        {"type":"tool_result","tool_use_id":"call00001","content":[\
                        {"type":"text","text":"one"},\
                        {"type":"image","source":{"type":"base64",\
                        "media_type":"image/webp","data":"AQID"}}]}]}]"""),
                json);
    }

    @Test
    void aUserSpeaksFirstAndNobodySaysNothing() {
        String json =
                json(
                        request(
                                Map.of(),
                                77,
                                new ModelMessage.Assistant("earlier", List.of()),
                                new ModelMessage.User(" ")));
        assertTrue(
                json.contains(
                        "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
                                + "\"(no text)\"}]},{\"role\":\"assistant\",\"content\":[{\"type\":"
                                + "\"text\",\"text\":\"earlier\"}]},{\"role\":\"user\""),
                json);
        assertTrue(json.contains("\"max_tokens\":77"), json);
    }

    @Test
    void thoughtsAreAskedForWhereNoResultsAreHandedOver() {
        Map<String, String> thinking = Map.of("thinking_budget_tokens", "2048");
        String first = json(request(thinking, 0, new ModelMessage.User("hi")));
        assertTrue(
                first.contains("\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2048}"),
                first);
        String later =
                json(
                        request(
                                thinking,
                                0,
                                new ModelMessage.User("hi"),
                                new ModelMessage.Assistant("", List.of(call("1", "{}"))),
                                new ModelMessage.ToolOutput("1", "palyra.echo", true, "x")));
        assertTrue(!later.contains("thinking"), later);
    }

    @Test
    void refusesOptionsThatItDoesNotKnow() {
        ModelRequest request = request(Map.of("seed", "1"), 0, new ModelMessage.User("hi"));
        assertTrue(
                assertThrows(PalyraException.class, () -> json(request))
                        .getMessage()
                        .contains("'seed'"));
    }
}
