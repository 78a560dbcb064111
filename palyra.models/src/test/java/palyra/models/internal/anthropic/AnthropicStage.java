package palyra.models.internal.anthropic;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import palyra.api.model.ModelProvider;
import palyra.models.internal.http.Endpoint;
import palyra.models.internal.http.HttpModel;
import palyra.models.internal.http.ModelSeams;
import palyra.testing.model.RemoteDialect;

/** What an OpenAI-compatible server writes. */
final class AnthropicStage implements RemoteDialect {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    static AnthropicSettings settings(Setup setup) {
        return new AnthropicSettings(
                new Endpoint(
                        "test",
                        Endpoint.baseUrl(setup.url() + "/", false),
                        Endpoint.key(setup.keyRef()),
                        "default-model",
                        Map.of(),
                        new Endpoint.Times(
                                1_000, setup.firstTokenMillis(), setup.betweenMillis(), 0),
                        32,
                        setup.breakerFailures(),
                        setup.breakerOpenMillis(),
                        List.of()),
                8_192,
                "2023-06-01");
    }

    @Override
    public ModelProvider open(Setup setup) {
        ModelSeams seams = new ModelSeams();
        if (setup.egress() != null) {
            seams.egress().add(setup.egress(), Map.of());
        }
        if (setup.access() != null) {
            seams.access().add(setup.access(), Map.of());
        }
        if (setup.vault() != null) {
            seams.vault().add(setup.vault(), Map.of());
        }
        AnthropicSettings settings = settings(setup);
        return new HttpModel(settings.endpoint(), new AnthropicDialect(settings), seams);
    }

    @Override
    public void close(ModelProvider provider) {
        ((HttpModel) provider).close();
    }

    private static String event(String type, String rest) {
        return "event: "
                + type
                + "\ndata: {\"type\":\""
                + type
                + "\""
                + (rest.isEmpty() ? "" : "," + rest)
                + "}\n\n";
    }

    private static String delta(int index, String delta) {
        return event("content_block_delta", "\"index\":" + index + ",\"delta\":{" + delta + "}");
    }

    @Override
    public String opening() {
        return event(
                        "message_start",
                        "\"message\":{\"id\":\"msg_1\",\"content\":[],\"usage\":{"
                                + "\"input_tokens\":4,\"cache_creation_input_tokens\":1,"
                                + "\"cache_read_input_tokens\":2,\"output_tokens\":1}}")
                + event(
                        "content_block_start",
                        "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}")
                + event("ping", "");
    }

    @Override
    public String text(String piece) {
        return delta(0, "\"type\":\"text_delta\",\"text\":\"" + piece + "\"");
    }

    @Override
    public String thought(String piece) {
        return delta(0, "\"type\":\"thinking_delta\",\"thinking\":\"" + piece + "\"");
    }

    @Override
    public String call(int index, String id, String name) {
        return event(
                "content_block_start",
                "\"index\":"
                        + (index + 1)
                        + ",\"content_block\":{\"type\":\"tool_use\",\"id\":\""
                        + id
                        + "\",\"name\":\""
                        + name
                        + "\",\"input\":{}}");
    }

    @Override
    public String input(int index, String escaped) {
        return delta(
                index + 1, "\"type\":\"input_json_delta\",\"partial_json\":\"" + escaped + "\"");
    }

    @Override
    public String ending(boolean calls) {
        return event("content_block_stop", "\"index\":0")
                + event(
                        "message_delta",
                        "\"delta\":{\"stop_reason\":\""
                                + (calls ? "tool_use" : "end_turn")
                                + "\"},\"usage\":{\"output_tokens\":3}");
    }

    @Override
    public String closing() {
        return event("message_stop", "");
    }

    @Override
    public String whole(String text) {
        return "{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\""
                + text
                + "\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":1,"
                + "\"output_tokens\":2}}";
    }

    @Override
    public String overloaded() {
        return event(
                "error", "\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}");
    }

    @Override
    public String error(String type, String code, String message) {
        ObjectNode body = JSON.createObjectNode().put("type", "error");
        body.putObject("error").put("type", code.isEmpty() ? type : code).put("message", message);
        return body.toString();
    }

    @Override
    public String tooLong() {
        return error(
                "invalid_request_error", "", "prompt is too long: 210000 tokens > 200000 maximum");
    }

    @Override
    public String blocked() {
        return event("message_delta", "\"delta\":{\"stop_reason\":\"refusal\"}");
    }

    @Override
    public String keyHeader() {
        return "x-api-key";
    }
}
