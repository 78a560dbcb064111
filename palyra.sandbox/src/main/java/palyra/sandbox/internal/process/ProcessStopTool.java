package palyra.sandbox.internal.process;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.process.BackgroundProcess.Owner;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.Stop;
import palyra.shared.json.JsonFields;

/** {@code palyra.process.stop}: ends a background process with all that it started. */
public final class ProcessStopTool implements Tool {
    /** Its name. */
    public static final String NAME = "palyra.process.stop";

    private static final int MAX_ID = 64;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Ends a background process with everything that it started, and returns how it"
                            + " ended and its last output. Use it when a server or a watcher is no"
                            + " longer needed, and to make room for another. Example:"
                            + " {\"process_id\":\""
                            + BackgroundProcess.EXAMPLE_ID
                            + "\"}",
                    """
                    {"type":"object","required":["process_id"],\
                    "properties":{"process_id":{"type":"string",\
                    "description":"As the call that started it returned it."}}}""",
                    Set.of(Capability.PROCESS_EXEC),
                    true,
                    false,
                    30_000,
                    1_024);

    /** How long the end may take to show. */
    private static final long END_MILLIS = 10_000;

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
    public ToolResult execute(ToolInvocation invocation) throws InterruptedException {
        JsonFields fields =
                JsonFields.ofToolInput(DESCRIPTOR, invocation.inputJson(), "process_id|id");
        String id = fields.text("process_id", MAX_ID);
        BackgroundProcess process = backgrounds.find(Owner.of(invocation), id);
        boolean ran = process.result().isEmpty();
        process.stop(Stop.CANCELLED);
        LiveRun run = process.started().join();
        run.signal()
                .await(
                        () -> process.result().isPresent(),
                        TimeUnit.MILLISECONDS.toNanos(END_MILLIS));
        ObjectNode node = ProcessStatusTool.state(process);
        node.put("stopped", ran);
        ProcessStatusTool.putEnd(node, run);
        node.remove("cursor");
        return ToolResult.of(ProcessStatusTool.text(node, fields, ""));
    }
}
