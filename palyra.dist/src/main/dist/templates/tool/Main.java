package @name@.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.annotations.Component;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;

/** The tool {@code @name@}: counts the words of a text. Replace it with what yours does. */
@Component(service = Tool.class, immediate = true)
public final class @Class@Tool implements Tool {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    "@name@",
                    "Counts the words of a text.", // for the model
                    """
                    {"type":"object","additionalProperties":false,"required":["text"],\
                    "properties":{"text":{"type":"string","description":"The text."}}}""",
                    Set.of(), // all that it may ever reach, of palyra.api.tool.Capability; policies decide by it
                    true, // idempotent: twice is as good as once, so a crash may start it again
                    true, // read only: several calls may run at once
                    5_000, // milliseconds that a call may take
                    65_536); // bytes of input

    @Override
    public ToolDescriptor descriptor() {
        return DESCRIPTOR;
    }

    /** Runs on a thread of its own, which is interrupted when the call has to end. */
    @Override
    public ToolResult execute(ToolInvocation invocation) {
        String text = text(invocation.inputJson()).strip();
        int words = text.isEmpty() ? 0 : text.split("\\s+").length;
        return ToolResult.of(JSON.valueToTree(Map.of("words", words)).toString());
    }

    /** Checks the input before anything happens; the sentence helps the model to ask better. */
    private static String text(String inputJson) {
        JsonNode input;
        try {
            input = JSON.readTree(inputJson);
        } catch (JsonProcessingException e) {
            throw refused("The input is not JSON: " + e.getOriginalMessage() + ".");
        }
        for (Iterator<String> names = input.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!name.equals("text")) {
                throw refused("There is no field '" + name + "'; send {\"text\": \"…\"} only.");
            }
        }
        if (!input.path("text").isTextual()) {
            throw refused("The field 'text' must be a text; send {\"text\": \"…\"}.");
        }
        return input.path("text").textValue();
    }

    private static PalyraException refused(String why) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, why);
    }
}
