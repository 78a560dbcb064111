package palyra.models.internal.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
class ChatRequestTest {
    private static final OpenAiSettings SETTINGS =
            OpenAiStage.settings(
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

    private static String json(OpenAiSettings settings, ModelRequest request) {
        return new String(
                new ChatRequest(settings, ToolNames.of(request)).json(request),
                StandardCharsets.UTF_8);
    }

    private static ModelRequest request(
            String model, int limit, Map<String, String> options, ModelMessage... messages) {
        return new ModelRequest(
                "1",
                "run-1",
                model,
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
                        SETTINGS,
                        request(
                                "gpt",
                                100,
                                Map.of("temperature", "0.5", "seed", "7", "stop", "[\"x\"]"),
                                new ModelMessage.System("Be brief."),
                                new ModelMessage.User("hi"),
                                new ModelMessage.Assistant(
                                        "",
                                        List.of(call("r.1.0", "{\"a\":1}"), call("r.1.1", "{"))),
                                new ModelMessage.ToolOutput("r.1.0", "palyra.echo", true, "one"),
                                new ModelMessage.ToolOutput("r.1.1", "palyra.echo", false, "no"),
                                new ModelMessage.Assistant("done", List.of())));
        assertEquals(
                """
                {"model":"gpt","messages":[\
                {"role":"system","content":"Be brief."},\
                {"role":"user","content":"hi"},\
                {"role":"assistant","content":null,"tool_calls":[\
                {"id":"call00001","type":"function","function":\
                {"name":"palyra_echo","arguments":"{\\"a\\":1}"}},\
                {"id":"call00002","type":"function","function":\
                {"name":"palyra_echo","arguments":"{\\"malformed_input\\":\\"{\\"}"}}]},\
                {"role":"tool","tool_call_id":"call00001","content":"one"},\
                {"role":"tool","tool_call_id":"call00002","content":"no"},\
                {"role":"assistant","content":"done"}],\
                "stream":true,"stream_options":{"include_usage":true},\
                "max_completion_tokens":100,\
                "tools":[{"type":"function","function":{"name":"palyra_echo",\
                "description":"Says it again.","parameters":{"type":"object"}}}],\
                "seed":7,"stop":["x"],"temperature":0.5}""",
                json);
    }

    /** Outputs of tools may have text alone there, and must follow the calls at once. */
    @Test
    void imagesOfOutputsFollowInAMessageOfTheUser() {
        ToolImage image = ToolImage.of("image/png", new byte[] {1, 2, 3});
        String json =
                json(
                        SETTINGS,
                        request(
                                "gpt",
                                0,
                                Map.of(),
                                new ModelMessage.User("look"),
                                new ModelMessage.Assistant(
                                        "", List.of(call("r.1.0", "{}"), call("r.1.1", "{}"))),
                                new ModelMessage.ToolOutput(
                                        "r.1.0", "palyra.echo", true, "one", List.of(image)),
                                new ModelMessage.ToolOutput("r.1.1", "palyra.echo", true, "two"),
                                new ModelMessage.User("and?")));
        assertTrue(
                json.contains(
                        """
                        {"role":"tool","tool_call_id":"call00001","content":"one"},\
                        {"role":"tool","tool_call_id":"call00002","content":"two"},\
                        {"role":"user","content":[\
                        {"type":"text","text":"[Shown by the tool call call00001:]"},\
                        {"type":"image_url","image_url":{"url":"data:image/png;base64,AQID"}}]},\
                        {"role":"user","content":"and?"}]"""),
                json);
    }

    @Test
    void speaksAsOlderServersUnderstand() {
        OpenAiSettings old = new OpenAiSettings(SETTINGS.endpoint(), false, "max_tokens", "false");
        String json = json(old, request("", 9, Map.of(), new ModelMessage.User("hi")));
        assertTrue(json.contains("\"model\":\"default-model\""), json);
        assertTrue(json.contains("\"max_tokens\":9"), json);
        assertTrue(json.contains("\"parallel_tool_calls\":false"), json);
        assertFalse(json.contains("stream_options"), json);
    }

    @Test
    void refusesOptionsThatItDoesNotKnowOrUnderstand() {
        for (Map<String, String> bad :
                List.of(
                        Map.of("temprature", "1"),
                        Map.of("temperature", "hot"),
                        Map.of("parallel_tool_calls", "yes"),
                        Map.of("stop", "[1"))) {
            ModelRequest request = request("m", 0, bad, new ModelMessage.User("hi"));
            assertThrows(PalyraException.class, () -> json(SETTINGS, request), bad.toString());
        }
    }
}
