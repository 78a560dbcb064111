package palyra.tools.internal.builtin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Set;
import org.osgi.service.component.annotations.Component;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** Gives a text back. Touches nothing; good for trying out the way from model to tool and back. */
@Component(service = Tool.class)
public final class EchoTool implements Tool {
    private static final String NAME = "palyra.echo";
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Returns the given text unchanged. Use it to try out calls of tools; an answer to"
                            + " a person needs no tool. Example: {\"text\":\"hello\"}",
                    """
                    {"type":"object","additionalProperties":false,"required":["text"],\
                    "properties":{"text":{"type":"string","maxLength":4096,\
                    "description":"The text to return."}}}""",
                    Set.of(),
                    true,
                    true,
                    5_000,
                    16_384);

    @Override
    public ToolDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public ToolResult execute(ToolInvocation invocation) {
        String text =
                StrictJson.parse(invocation.inputJson(), "the input of " + NAME)
                        .path("text")
                        .textValue();
        return ToolResult.of(Jcs.text(JsonNodeFactory.instance.objectNode().put("text", text)));
    }
}
