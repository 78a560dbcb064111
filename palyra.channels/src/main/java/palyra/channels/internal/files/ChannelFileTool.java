package palyra.channels.internal.files;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolResult;
import palyra.shared.json.Jcs;
import palyra.shared.json.JsonFields;

/** What both tools have in common. Thread-safe. */
abstract class ChannelFileTool implements ConfinedTool {
    static final int MAX_PATH = 4_095; // PATH_MAX

    private static final String ENFORCEMENT = "none fs=beneath-workspace links=within-workspace";

    private final ToolDescriptor descriptor;

    ChannelFileTool(ToolDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    @Override
    public ToolDescriptor descriptor() {
        return descriptor;
    }

    @Override
    public boolean mayRepeat(String callId, int attempt) {
        return descriptor.idempotent();
    }

    private JsonFields fields(String inputJson) {
        return JsonFields.ofToolInput(descriptor, inputJson, "path|file_path|filename|file");
    }

    /** Finds out what a call would do. */
    abstract ToolExamination examine(ToolProposed proposed, JsonFields input);

    /** Does it and returns the output. */
    abstract ObjectNode run(ToolOrder order, JsonFields input)
            throws IOException, InterruptedException;

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        try {
            return examine(proposed, fields(proposed.inputJson()));
        } catch (PalyraException e) {
            return switch (e.code()) {
                case INVALID_ARGUMENT ->
                        ToolExamination.refused("tool.input_invalid", e.getMessage());
                case NOT_FOUND ->
                        ToolExamination.refused("channels.file_not_found", e.getMessage());
                default -> ToolExamination.refused("channels.unavailable", e.getMessage());
            };
        }
    }

    /** Returns what a call would do, with a line for the person who may be asked. */
    static ToolExamination described(ToolExamination found, String summary) {
        return found instanceof ToolExamination.Facts facts
                ? ToolExamination.facts(
                        facts.facts(),
                        new CallDescription(summary, List.of(), "", Optional.empty()))
                : found;
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws InterruptedException {
        try {
            JsonFields input = fields(order.invocation().inputJson());
            ObjectNode output = run(order, input);
            if (!input.note().isEmpty()) {
                output.put("note", input.note());
            }
            return result(Outcome.SUCCEEDED, ToolResult.of(Jcs.text(output)));
        } catch (PalyraException | IOException e) {
            boolean cancelled =
                    e instanceof PalyraException failed && failed.code() == ErrorCode.CANCELLED;
            if (Thread.interrupted() || cancelled) {
                throw new InterruptedException(descriptor.name() + " was asked to stop");
            }
            String said = String.valueOf(e.getMessage());
            return result(
                    Outcome.FAILED,
                    ToolResult.failed(
                            e instanceof IOException
                                    ? descriptor.name() + " failed: " + FileTexts.shown(said) + "."
                                    : said));
        }
    }

    private static ConfinedResult result(Outcome outcome, ToolResult result) {
        return new ConfinedResult(outcome, result, "builtin", ENFORCEMENT, "");
    }
}
