package palyra.models.internal.anthropic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.tool.ToolDescriptor;
import palyra.models.internal.http.Options;
import palyra.models.internal.http.Options.Kind;
import palyra.models.internal.http.ToolNames;

/** Writes a request for a message. For one request. */
final class MessagesRequest {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    /** The option that switches thoughts on, by how many tokens they may take. */
    private static final String THINKING = "thinking_budget_tokens";

    private static final Map<String, Kind> OPTIONS =
            Map.of(
                    "temperature",
                    Kind.NUMBER,
                    "top_p",
                    Kind.NUMBER,
                    "top_k",
                    Kind.INTEGER,
                    "stop_sequences",
                    Kind.JSON,
                    "tool_choice",
                    Kind.JSON,
                    "service_tier",
                    Kind.TEXT,
                    THINKING,
                    Kind.INTEGER);

    private final AnthropicSettings settings;
    private final ToolNames names;

    MessagesRequest(AnthropicSettings settings, ToolNames names) {
        this.settings = settings;
        this.names = names;
    }

    byte[] json(ModelRequest request) {
        ObjectNode body = JSON.createObjectNode();
        body.put("model", model(request));
        int limit = request.maxOutputTokens();
        body.put("max_tokens", limit > 0 ? limit : settings.maxTokens());
        body.put("stream", true);
        String system = system(request.messages());
        if (!system.isEmpty()) {
            body.put("system", system);
        }
        body.set("messages", new AnthropicMessages(names).messages(request.messages()));
        if (!request.tools().isEmpty()) {
            tools(request.tools(), body.putArray("tools"));
        }
        options(request, body);
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON cannot be written", e);
        }
    }

    private String model(ModelRequest request) {
        String model =
                request.model().isBlank() ? settings.endpoint().defaultModel() : request.model();
        if (model.isBlank()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Model provider '"
                            + settings.endpoint().id()
                            + "' was asked without the name of a model; name one for the agent, or"
                            + " set defaultModel.");
        }
        return model;
    }

    private static String system(List<ModelMessage> messages) {
        List<String> texts = new ArrayList<>();
        for (ModelMessage message : messages) {
            if (message instanceof ModelMessage.System system && !system.text().isBlank()) {
                texts.add(system.text());
            }
        }
        return String.join("\n\n", texts);
    }

    private void tools(List<ToolDescriptor> offered, ArrayNode tools) {
        for (ToolDescriptor tool : offered) {
            tools.addObject()
                    .put("name", names.outward(tool.name()))
                    .put("description", names.outwardIn(tool.description()))
                    .set("input_schema", names.schema(tool));
        }
    }

    /**
     * Thoughts are asked for only where no results of calls are handed over: those would need the
     * signed thoughts of the turn before, which are not kept.
     */
    private static void options(ModelRequest request, ObjectNode body) {
        Map<String, String> options = new HashMap<>(request.options());
        String thinking = options.remove(THINKING);
        Options.put(options, OPTIONS, body);
        ModelMessage last = request.messages().get(request.messages().size() - 1);
        if (thinking != null && last instanceof ModelMessage.User) {
            ObjectNode checked = JSON.createObjectNode();
            Options.put(Map.of(THINKING, thinking), OPTIONS, checked);
            ObjectNode how = body.putObject("thinking").put("type", "enabled");
            how.set("budget_tokens", checked.get(THINKING));
        }
    }
}
