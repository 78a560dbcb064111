package palyra.sandbox.internal.process;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.process.BackgroundProcess.Owner;
import palyra.sandbox.internal.run.Stop;
import palyra.shared.json.Jcs;
import palyra.shared.json.JsonFields;

/** {@code palyra.process.stop}: ends a background process of this run with all that it started. */
public final class ProcessStopTool implements Tool {
    /** Its name. */
    public static final String NAME = "palyra.process.stop";

    private static final int MAX_ID = 64;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Ends a background process of this run with everything that it started.",
                    """
                    {"type":"object","required":["process_id"],\
                    "properties":{"process_id":{"type":"string",\
                    "description":"As palyra.process.start returned it."}}}""",
                    Set.of(Capability.PROCESS_EXEC),
                    true,
                    false,
                    10_000,
                    1_024);

    private final BackgroundProcesses backgrounds;

    /** Creates it. */
    public ProcessStopTool(BackgroundProcesses backgrounds) {
        this.backgrounds = backgrounds;
    }

    @Override
    public ToolDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public ToolResult execute(ToolInvocation invocation) {
        JsonFields fields = JsonFields.ofToolInput(NAME, invocation.inputJson(), "process_id|id");
        String id = fields.text("process_id", MAX_ID);
        BackgroundProcess process =
                backgrounds.find(new Owner(invocation.runId(), invocation.principalId()), id);
        boolean ran = process.result().isEmpty();
        process.stop(Stop.CANCELLED);
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("process_id", id);
        node.put("stopped", ran);
        if (!fields.note().isEmpty()) {
            node.put("note", fields.note());
        }
        return ToolResult.of(Jcs.text(node));
    }
}
