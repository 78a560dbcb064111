package palyra.sandbox.internal.process;

import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.run.LimitText;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.shared.json.JsonFields;

/** {@code palyra.process.start}: starts a program in a sandbox and does not wait for it. */
public final class ProcessStartTool implements ConfinedTool {
    /** Its name. */
    public static final String NAME = "palyra.process.start";

    private static final String SCHEMA = ProcessRunTool.COMMON_SCHEMA + "}}";

    private final ProcessToolService service;
    private final BackgroundStart starter;

    /** Creates it. */
    public ProcessStartTool(ProcessToolService service) {
        this.service = service;
        this.starter = new BackgroundStart(service);
    }

    @Override
    public ToolDescriptor descriptor() {
        SandboxSettings now = service.settings();
        return CommandTexts.described(
                NAME,
                "Starts one program in a sandbox in the workspace and returns a process_id at once."
                        + " Use it for servers, watchers and builds that take longer than a call"
                        + " may. palyra.process.status tells how it is doing."
                        + " palyra.process.stop ends it. It ends when this run does, or with"
                        + " outlive_run when the session does; when it is not asked for within "
                        + LimitText.seconds(now.backgroundMaxMillis())
                        + "; and after "
                        + LimitText.seconds(now.backgroundWallMillis())
                        + ", or timeout_ms. At most "
                        + now.maxBackground()
                        + " at one time. Set session for a server that later calls are to reach."
                        + CommandTexts.network(now)
                        + " Example: {\"command\":\"python3\",\"args\":[\"-m\",\"http.server\","
                        + "\"8000\"],\"session\":true}",
                SCHEMA,
                ProcessRunTool.CAPABILITIES);
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
        ConfinedResult started =
                ProcessResults.noted(
                        starter.start(order, ProcessInput.ofProgram(fields, true)), fields.note());
        return ProcessResults.noted(started, ProcessInput.noteOfUnit(fields));
    }

    private JsonFields fields(String json) {
        return ProcessInput.fields(descriptor(), json);
    }
}
