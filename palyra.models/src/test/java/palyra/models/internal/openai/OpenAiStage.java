package palyra.models.internal.openai;

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
final class OpenAiStage implements RemoteDialect {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    static OpenAiSettings settings(Setup setup) {
        return new OpenAiSettings(
                new Endpoint(
                        "test",
                        Endpoint.baseUrl(setup.url() + "/v1/", false),
                        Endpoint.key(setup.keyRef()),
                        "default-model",
                        Map.of(),
                        new Endpoint.Times(
                                1_000, setup.firstTokenMillis(), setup.betweenMillis(), 0),
                        32,
                        setup.breakerFailures(),
                        setup.breakerOpenMillis(),
                        List.of()),
                true,
                "max_completion_tokens",
                "default");
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
        OpenAiSettings settings = settings(setup);
        return new HttpModel(settings.endpoint(), new OpenAiDialect(settings), seams);
    }

    @Override
    public void close(ModelProvider provider) {
        ((HttpModel) provider).close();
    }

    private static String chunk(String delta) {
        return "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":"
                + delta
                + ",\"finish_reason\":null}]}\n\n";
    }

    @Override
    public String opening() {
        return chunk("{\"role\":\"assistant\",\"content\":\"\"}");
    }

    @Override
    public String text(String piece) {
        return chunk("{\"content\":\"" + piece + "\"}");
    }

    @Override
    public String thought(String piece) {
        return chunk("{\"reasoning_content\":\"" + piece + "\"}");
    }

    @Override
    public String call(int index, String id, String name) {
        return chunk(
                "{\"tool_calls\":[{\"index\":"
                        + index
                        + ",\"id\":\""
                        + id
                        + "\",\"type\":\"function\",\"function\":{\"name\":\""
                        + name
                        + "\",\"arguments\":\"\"}}]}");
    }

    @Override
    public String input(int index, String escaped) {
        return chunk(
                "{\"tool_calls\":[{\"index\":"
                        + index
                        + ",\"function\":{\"arguments\":\""
                        + escaped
                        + "\"}}]}");
    }

    @Override
    public String ending(boolean calls) {
        return "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\""
                + (calls ? "tool_calls" : "stop")
                + "\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,"
                + "\"completion_tokens\":3,\"prompt_tokens_details\":{\"cached_tokens\":2},"
                + "\"completion_tokens_details\":{\"reasoning_tokens\":1}}}\n\n";
    }

    @Override
    public String closing() {
        return "data: [DONE]\n\n";
    }

    @Override
    public String whole(String text) {
        return "{\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":"
                + "\"assistant\",\"content\":\""
                + text
                + "\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,"
                + "\"completion_tokens\":2}}";
    }

    @Override
    public String overloaded() {
        return "data: {\"error\":{\"type\":\"server_error\",\"code\":503,\"message\":\"busy\"}}\n\n";
    }

    @Override
    public String error(String type, String code, String message) {
        ObjectNode body = JSON.createObjectNode();
        body.putObject("error").put("type", type).put("code", code).put("message", message);
        return body.toString();
    }

    @Override
    public String tooLong() {
        return error(
                "invalid_request_error",
                "context_length_exceeded",
                "This model's maximum context length is 8192 tokens.");
    }

    @Override
    public String blocked() {
        return "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":"
                + "\"content_filter\"}]}\n\n";
    }

    @Override
    public String keyHeader() {
        return "authorization";
    }
}
