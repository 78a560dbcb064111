package palyra.tools.internal.builtin;

import java.util.Set;
import org.osgi.service.component.annotations.Component;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.shared.json.StrictJson;

/** Takes its time and does nothing else. Ends at once when it is interrupted. */
@Component(service = Tool.class)
public final class SleepTool implements Tool {
    private static final String NAME = "palyra.sleep";
    private static final int MAX_MILLIS = 30_000;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Waits for the given number of milliseconds, at most 30000, then returns. For a"
                            + " background process use wait_ms of palyra.process.status instead."
                            + " Example: {\"millis\":500}",
                    """
                    {"type":"object","additionalProperties":false,"required":["millis"],\
                    "properties":{"millis":{"type":"integer","minimum":0,"maximum":30000,\
                    "description":"How long to wait, in milliseconds."}}}""",
                    Set.of(),
                    true,
                    true,
                    MAX_MILLIS + 5_000,
                    1_024);

    @Override
    public ToolDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public ToolResult execute(ToolInvocation invocation) throws InterruptedException {
        long millis =
                StrictJson.parse(invocation.inputJson(), "the input of " + NAME)
                        .path("millis")
                        .longValue();
        Thread.sleep(millis);
        return ToolResult.of("{\"sleptMillis\":" + millis + "}");
    }
}
