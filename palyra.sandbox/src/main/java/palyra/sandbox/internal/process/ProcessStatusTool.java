package palyra.sandbox.internal.process;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;
import palyra.api.Require;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.process.BackgroundProcess.Owner;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.RunResult;
import palyra.shared.json.Jcs;
import palyra.shared.json.JsonFields;

/**
 * {@code palyra.process.status}: how a background process of this run is doing and what it has
 * written since. It runs nothing itself.
 */
public final class ProcessStatusTool implements Tool {
    /** Its name. */
    public static final String NAME = "palyra.process.status";

    private static final int MAX_ID = 64;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Returns the state of a background process of this run and its output since"
                            + " the given cursor; without process_id it lists all of them.",
                    """
                    {"type":"object","properties":{\
                    "process_id":{"type":"string",\
                    "description":"As palyra.process.start returned it."},\
                    "cursor":{"type":"string",\
                    "description":"As the last answer returned it; empty for the beginning."}}}""",
                    Set.of(Capability.PROCESS_EXEC),
                    true,
                    true,
                    10_000,
                    4_096);

    private final BackgroundProcesses backgrounds;

    /** Creates it. */
    public ProcessStatusTool(BackgroundProcesses backgrounds) {
        this.backgrounds = backgrounds;
    }

    @Override
    public ToolDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public ToolResult execute(ToolInvocation invocation) {
        JsonFields fields =
                JsonFields.ofToolInput(NAME, invocation.inputJson(), "process_id|id", "cursor");
        Owner owner = new Owner(invocation.runId(), invocation.principalId());
        Optional<String> id = fields.optionalText("process_id", MAX_ID);
        int[] cursor = cursor(fields.optionalText("cursor", MAX_ID).orElse(""));
        ObjectNode output =
                id.isPresent() ? one(backgrounds.find(owner, id.get()), cursor) : all(owner);
        if (!fields.note().isEmpty()) {
            output.put("note", fields.note());
        }
        return ToolResult.of(Jcs.text(output));
    }

    private ObjectNode all(Owner owner) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode processes = node.putArray("processes");
        backgrounds.of(owner).forEach(process -> processes.add(state(process)));
        return node;
    }

    private static ObjectNode state(BackgroundProcess process) {
        Optional<RunResult> result = process.result();
        ObjectNode node =
                result.map(ProcessResults::facts).orElseGet(JsonNodeFactory.instance::objectNode);
        node.put("process_id", process.id());
        node.put("state", result.isPresent() ? "ended" : "running");
        return node;
    }

    /** The state is looked at first: what was written before an end is not missed. */
    private static ObjectNode one(BackgroundProcess process, int[] cursor) {
        ObjectNode node = state(process);
        boolean more = node.get("state").textValue().equals("running");
        LiveRun run = process.started().join();
        node.put("enforcement", run.enforcement());
        OutputText.Piece stdout =
                OutputText.head(run.stdout().from(cursor[0]), ProcessResults.ROOM / 2, more);
        OutputText.Piece stderr =
                OutputText.head(run.stderr().from(cursor[1]), ProcessResults.ROOM / 2, more);
        node.put("stdout", stdout.text());
        node.put("stderr", stderr.text());
        node.put("truncated", run.stdout().truncated() || run.stderr().truncated());
        node.put("cursor", (cursor[0] + stdout.consumed()) + ":" + (cursor[1] + stderr.consumed()));
        return node;
    }

    private static int[] cursor(String text) {
        if (text.isEmpty()) {
            return new int[2];
        }
        Require.that(
                text.matches("[0-9]{1,9}:[0-9]{1,9}"),
                NAME + " got the cursor '" + text + "'; send the last one that it returned");
        String[] parts = text.split(":", -1);
        return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
    }
}
