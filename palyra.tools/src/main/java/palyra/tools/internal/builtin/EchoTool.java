package palyra.tools.internal.builtin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Set;
import org.osgi.service.component.annotations.Component;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.shared.json.Jcs;

/** Gives a text back. Touches nothing; good for trying out the way from model to tool and back. */
@Component(service = Tool.class)
public final class EchoTool implements Tool {
    private static final String NAME = "palyra.echo";
    private static final int MAX_CHARACTERS = 4_096;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Returns the given text unchanged.",
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
                InputFields.read(NAME, invocation.inputJson(), "text").text("text", MAX_CHARACTERS);
        return ToolResult.of(Jcs.text(JsonNodeFactory.instance.objectNode().put("text", text)));
    }
}
