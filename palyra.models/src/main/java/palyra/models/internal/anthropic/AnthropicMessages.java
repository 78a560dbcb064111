package palyra.models.internal.anthropic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.tool.ToolImage;
import palyra.models.internal.http.CallIds;
import palyra.models.internal.http.ToolJson;
import palyra.models.internal.http.ToolNames;
import palyra.shared.json.StrictJson;

/**
 * Writes a conversation for the Messages API: user and assistant alternate, the user first; all
 * results of calls are in the next user message before any text; no text is empty. For one request.
 */
final class AnthropicMessages {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final String USER = "user";
    private static final String ASSISTANT = "assistant";

    private final ToolNames names;
    private final CallIds ids = new CallIds();
    private final ArrayNode messages = JSON.createArrayNode();
    private String role = "";
    private int results; // results of calls at the beginning of the last message

    AnthropicMessages(ToolNames names) {
        this.names = names;
    }

    ArrayNode messages(List<ModelMessage> conversation) {
        for (ModelMessage message : conversation) {
            switch (message) {
                case ModelMessage.System ignored -> {} // a field of its own
                case ModelMessage.User user -> text(USER, user.text());
                case ModelMessage.Assistant said -> assistant(said);
                case ModelMessage.ToolOutput output -> result(output);
            }
        }
        if (messages.isEmpty()) {
            text(USER, "");
        }
        return messages;
    }

    private ArrayNode content(String of) {
        if (role.isEmpty() && of.equals(ASSISTANT)) {
            text(USER, "");
        }
        if (!of.equals(role)) {
            role = of;
            results = 0;
            messages.addObject().put("role", of).putArray("content");
        }
        return messages.get(messages.size() - 1).withArray("content");
    }

    private void text(String of, String text) {
        boolean blank = text.isBlank();
        if (!blank || of.equals(USER)) {
            content(of).addObject().put("type", "text").put("text", blank ? "(no text)" : text);
        }
    }

    private void assistant(ModelMessage.Assistant said) {
        text(ASSISTANT, said.text());
        for (ToolProposal call : said.proposals()) {
            content(ASSISTANT)
                    .addObject()
                    .put("type", "tool_use")
                    .put("id", ids.outward(call.callId()))
                    .put("name", names.outward(call.toolName()))
                    .set("input", input(call.inputJson()));
        }
    }

    private static JsonNode input(String written) {
        return ToolJson.isObject(written)
                ? StrictJson.parse(written, "input")
                : JSON.createObjectNode().put("malformed_input", written);
    }

    private void shown(ModelMessage.ToolOutput output, ArrayNode content) {
        content.addObject().put("type", "text").put("text", names.told(output));
        for (ToolImage image : output.images()) {
            content.addObject()
                    .put("type", "image")
                    .putObject("source")
                    .put("type", "base64")
                    .put("media_type", image.mediaType())
                    .put("data", image.data());
        }
    }

    private void result(ModelMessage.ToolOutput output) {
        ArrayNode content = content(USER);
        ObjectNode result = content.insertObject(results++);
        result.put("type", "tool_result").put("tool_use_id", ids.outward(output.callId()));
        if (output.images().isEmpty()) {
            result.put("content", names.told(output));
        } else {
            shown(output, result.putArray("content"));
        }
        if (!output.success()) {
            result.put("is_error", true);
        }
    }
}
