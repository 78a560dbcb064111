package palyra.models.internal.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolImage;
import palyra.models.internal.http.CallIds;
import palyra.models.internal.http.Options;
import palyra.models.internal.http.Options.Kind;
import palyra.models.internal.http.ToolJson;
import palyra.models.internal.http.ToolNames;

/** Writes a request for chat completions. For one request. */
final class ChatRequest {
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private static final Map<String, Kind> OPTIONS =
            Map.ofEntries(
                    Map.entry("temperature", Kind.NUMBER),
                    Map.entry("top_p", Kind.NUMBER),
                    Map.entry("min_p", Kind.NUMBER),
                    Map.entry("top_k", Kind.INTEGER),
                    Map.entry("presence_penalty", Kind.NUMBER),
                    Map.entry("frequency_penalty", Kind.NUMBER),
                    Map.entry("repetition_penalty", Kind.NUMBER),
                    Map.entry("seed", Kind.INTEGER),
                    Map.entry("stop", Kind.JSON),
                    Map.entry("logit_bias", Kind.JSON),
                    Map.entry("response_format", Kind.JSON),
                    Map.entry("tool_choice", Kind.JSON),
                    Map.entry("parallel_tool_calls", Kind.BOOLEAN),
                    Map.entry("reasoning_effort", Kind.TEXT),
                    Map.entry("verbosity", Kind.TEXT),
                    Map.entry("service_tier", Kind.TEXT));

    private final OpenAiSettings settings;
    private final ToolNames names;
    private final CallIds ids = new CallIds();

    ChatRequest(OpenAiSettings settings, ToolNames names) {
        this.settings = settings;
        this.names = names;
    }

    byte[] json(ModelRequest request) {
        ObjectNode body = JSON.createObjectNode();
        String model =
                request.model().isBlank() ? settings.endpoint().defaultModel() : request.model();
        if (!model.isEmpty()) {
            body.put("model", model);
        }
        ArrayNode messages = body.putArray("messages");
        messages(request.messages(), messages);
        body.put("stream", true);
        if (settings.includeUsage()) {
            body.putObject("stream_options").put("include_usage", true);
        }
        if (request.maxOutputTokens() > 0) {
            body.put(settings.maxTokensField(), request.maxOutputTokens());
        }
        if (!request.tools().isEmpty()) {
            tools(request, body);
        }
        Options.put(request.options(), OPTIONS, body);
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON cannot be written", e);
        }
    }

    private void tools(ModelRequest request, ObjectNode body) {
        ArrayNode tools = body.putArray("tools");
        for (ToolDescriptor tool : request.tools()) {
            ObjectNode function = tools.addObject().put("type", "function").putObject("function");
            function.put("name", names.outward(tool.name()));
            function.put("description", names.outwardIn(tool.description()));
            function.set("parameters", names.schema(tool));
        }
        if (!settings.parallelToolCalls().equals("default")) {
            body.put("parallel_tool_calls", settings.parallelToolCalls().equals("true"));
        }
    }

    /** Outputs of tools are text there: their images follow in a message of the user. */
    private void messages(List<ModelMessage> conversation, ArrayNode messages) {
        List<ModelMessage.ToolOutput> shown = new ArrayList<>();
        for (ModelMessage message : conversation) {
            if (!(message instanceof ModelMessage.ToolOutput)) {
                images(shown, messages);
            }
            add(message, messages.addObject());
            if (message instanceof ModelMessage.ToolOutput output && !output.images().isEmpty()) {
                shown.add(output);
            }
        }
        images(shown, messages);
    }

    private void images(List<ModelMessage.ToolOutput> shown, ArrayNode messages) {
        if (shown.isEmpty()) {
            return;
        }
        ArrayNode content = messages.addObject().put("role", "user").putArray("content");
        for (ModelMessage.ToolOutput output : shown) {
            String of = ids.outward(output.callId());
            content.addObject()
                    .put("type", "text")
                    .put("text", "[Shown by the tool call " + of + ":]");
            for (ToolImage image : output.images()) {
                content.addObject()
                        .put("type", "image_url")
                        .putObject("image_url")
                        .put("url", "data:" + image.mediaType() + ";base64," + image.data());
            }
        }
        shown.clear();
    }

    private void add(ModelMessage message, ObjectNode to) {
        switch (message) {
            case ModelMessage.System system ->
                    to.put("role", "system").put("content", system.text());
            case ModelMessage.User user -> to.put("role", "user").put("content", user.text());
            case ModelMessage.Assistant said -> assistant(said, to);
            case ModelMessage.ToolOutput output ->
                    to.put("role", "tool")
                            .put("tool_call_id", ids.outward(output.callId()))
                            .put("content", names.told(output));
        }
    }

    private void assistant(ModelMessage.Assistant said, ObjectNode to) {
        to.put("role", "assistant");
        if (said.proposals().isEmpty() || !said.text().isEmpty()) {
            to.put("content", said.text());
        } else {
            to.putNull("content");
        }
        for (ToolProposal call : said.proposals()) {
            ObjectNode each =
                    to.withArray("tool_calls")
                            .addObject()
                            .put("id", ids.outward(call.callId()))
                            .put("type", "function");
            each.putObject("function")
                    .put("name", names.outward(call.toolName()))
                    .put("arguments", arguments(call.inputJson()));
        }
    }

    /** Servers parse the arguments of earlier calls again and fail unless they are an object. */
    private static String arguments(String input) {
        return ToolJson.isObject(input)
                ? input
                : JSON.createObjectNode().put("malformed_input", input).toString();
    }
}
