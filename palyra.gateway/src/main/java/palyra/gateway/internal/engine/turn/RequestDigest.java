package palyra.gateway.internal.engine.turn;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.TreeMap;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;

/** Digests of requests to a model, over canonical JSON; lower-case hex. */
final class RequestDigest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private RequestDigest() {}

    static String of(ModelRequest request) {
        return Digests.sha256Hex(Jcs.bytes(tree(request)));
    }

    static String of(List<ToolDescriptor> tools) {
        return Digests.sha256Hex(Jcs.bytes(tree(tools)));
    }

    private static ObjectNode tree(ModelRequest request) {
        ObjectNode node = JSON.objectNode();
        node.put("model", request.model());
        ArrayNode messages = node.putArray("messages");
        for (ModelMessage message : request.messages()) {
            messages.add(tree(message));
        }
        node.set("tools", tree(request.tools()));
        if (request.maxOutputTokens() > 0) {
            node.put("max_output_tokens", request.maxOutputTokens());
        }
        if (!request.options().isEmpty()) {
            ObjectNode options = node.putObject("options");
            new TreeMap<>(request.options()).forEach(options::put);
        }
        return node;
    }

    private static ObjectNode tree(ModelMessage message) {
        ObjectNode node = JSON.objectNode().put("text", message.text());
        switch (message) {
            case ModelMessage.System ignored -> node.put("role", "system");
            case ModelMessage.User ignored -> node.put("role", "user");
            case ModelMessage.Assistant assistant -> {
                node.put("role", "assistant");
                ArrayNode calls = node.putArray("calls");
                assistant
                        .proposals()
                        .forEach(
                                p ->
                                        calls.addObject()
                                                .put("id", p.callId())
                                                .put("tool", p.toolName())
                                                .put("input", p.inputJson()));
            }
            case ModelMessage.ToolOutput output -> {
                node.put("role", "tool")
                        .put("id", output.callId())
                        .put("success", output.success());
                output.images().forEach(image -> node.withArray("images").add(image.sha256()));
            }
        }
        return node;
    }

    private static ArrayNode tree(List<ToolDescriptor> tools) {
        ArrayNode nodes = JSON.arrayNode();
        for (ToolDescriptor tool : tools) {
            nodes.addObject()
                    .put("name", tool.name())
                    .put("description", tool.description())
                    .put("input_schema", tool.inputSchemaJson());
        }
        return nodes;
    }
}
