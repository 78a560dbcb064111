package palyra.models.internal.anthropic;

import java.util.Map;
import palyra.api.model.ModelRequest;
import palyra.models.internal.http.AnswerWriter;
import palyra.models.internal.http.Dialect;
import palyra.models.internal.http.ToolNames;

/** Messages, streamed (Anthropic API reference, POST /v1/messages). */
final class AnthropicDialect implements Dialect {
    private final AnthropicSettings settings;

    AnthropicDialect(AnthropicSettings settings) {
        this.settings = settings;
    }

    @Override
    public String path() {
        return "/v1/messages";
    }

    @Override
    public Map<String, String> headers() {
        return Map.of("anthropic-version", settings.version());
    }

    @Override
    public Map<String, String> keyHeaders(String key) {
        return Map.of("x-api-key", key);
    }

    @Override
    public byte[] body(ModelRequest request, ToolNames names) {
        return new MessagesRequest(settings, names).json(request);
    }

    @Override
    public AnswerReader reader(AnswerWriter writer) {
        return new MessagesReader(writer);
    }
}
