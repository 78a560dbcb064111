package palyra.models.internal.openai;

import java.util.Map;
import palyra.api.model.ModelRequest;
import palyra.models.internal.http.AnswerWriter;
import palyra.models.internal.http.Dialect;
import palyra.models.internal.http.ToolNames;

/** Chat completions, streamed (OpenAI API reference, POST /chat/completions). */
final class OpenAiDialect implements Dialect {
    private final OpenAiSettings settings;

    OpenAiDialect(OpenAiSettings settings) {
        this.settings = settings;
    }

    @Override
    public String path() {
        return "/chat/completions";
    }

    @Override
    public Map<String, String> headers() {
        return Map.of();
    }

    @Override
    public Map<String, String> keyHeaders(String key) {
        return Map.of("Authorization", "Bearer " + key);
    }

    @Override
    public byte[] body(ModelRequest request, ToolNames names) {
        return new ChatRequest(settings, names).json(request);
    }

    @Override
    public AnswerReader reader(AnswerWriter writer) {
        return new ChatReader(writer);
    }
}
