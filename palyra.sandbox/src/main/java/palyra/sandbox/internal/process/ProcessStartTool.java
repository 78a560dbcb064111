package palyra.sandbox.internal.process;

import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.JsonFields;

/** {@code palyra.process.start}: starts a program in a sandbox and does not wait for it. */
public final class ProcessStartTool implements ConfinedTool {
    /** Its name. */
    public static final String NAME = "palyra.process.start";

    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Starts one program in a sandbox in the workspace and returns a process_id at"
                            + " once, for palyra.process.status and palyra.process.stop. It ends"
                            + " when this run ends, or with outlive_run when the session does; and"
                            + " when it is not asked for for 10 minutes, and at its time.",
                    ProcessRunTool.COMMON_SCHEMA + "}}",
                    ProcessRunTool.CAPABILITIES,
                    false,
                    false,
                    ProcessRunTool.TIMEOUT_MILLIS,
                    ProcessRunTool.MAX_INPUT_BYTES);

    private final ProcessToolService service;
    private final BackgroundStart starter;

    /** Creates it. */
    public ProcessStartTool(ProcessToolService service) {
        this.service = service;
        this.starter = new BackgroundStart(service);
    }

    @Override
    public ToolDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        return ProcessRunTool.examine(
                service, NAME, proposed, json -> ProcessInput.ofProgram(fields(json), true));
    }

    @Override
    public String leftBy(String agentId, String callId, int attempt) {
        return ProcessRunTool.leftBy(service, agentId, callId, attempt);
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws InterruptedException {
        JsonFields fields = fields(order.invocation().inputJson());
        return ProcessResults.noted(
                starter.start(order, ProcessInput.ofProgram(fields, true)), fields.note());
    }

    private static JsonFields fields(String json) {
        return ProcessInput.fields(DESCRIPTOR, json);
    }
}
