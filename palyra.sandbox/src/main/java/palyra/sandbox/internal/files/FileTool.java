package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.shape.FileShape;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.StrictJson;
import palyra.shared.tool.FactsDigest;

/**
 * What the file tools have in common: which paths a call names is found out before it is decided,
 * and again, from the same code, before it happens. Thread-safe.
 */
abstract class FileTool implements ConfinedTool {
    private static final String EXECUTOR = "builtin";
    private static final String ENFORCEMENT = "none fs=beneath-workspace links=refused";

    private final Supplier<Workspaces> workspaces;
    private final ToolDescriptor descriptor;

    FileTool(Supplier<Workspaces> workspaces, ToolDescriptor descriptor) {
        this.workspaces = workspaces;
        this.descriptor = descriptor;
    }

    /**
     * Paths that a call names.
     *
     * @param read what it reads
     * @param written what it writes
     */
    record Touched(Set<BeneathPath> read, Set<BeneathPath> written) {}

    /** Reads the input and says which paths it names; opens nothing. */
    abstract Touched touched(Path workspace, String inputJson) throws FileRefusal;

    /**
     * Returns what any call of the tool does, to be followed by the name of the workspace; empty
     * when a person may allow equal calls only.
     */
    abstract String all();

    /** Does the work and returns the output as JSON. */
    abstract String work(Path workspace, String inputJson)
            throws FileRefusal, IOException, InterruptedException;

    @Override
    public ToolDescriptor descriptor() {
        return descriptor;
    }

    /** What it reads is bounded, and no foreign code runs. */
    @Override
    public boolean mayRepeat(String callId, int attempt) {
        return descriptor.idempotent();
    }

    /**
     * Returns the folder that the paths of a call are below: the workspace, or for one that only
     * reads, and names a file there, the folder with the output of the agent's commands.
     */
    private Path top(String agentId, String inputJson) {
        Workspaces all = workspaces.get();
        Path workspace = all.of(agentId);
        Path outputs = all.outputs(agentId);
        String path = StrictJson.parse(inputJson, descriptor.name()).path("path").asText("");
        return descriptor.readOnly() && (path + "/").startsWith(outputs + "/")
                ? outputs
                : workspace;
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        try {
            Path workspace = top(proposed.agentId(), proposed.inputJson());
            CallFacts facts = facts(workspace, proposed.inputJson());
            return ToolExamination.facts(
                    facts, FileShape.of(descriptor.name(), all(), workspace, facts));
        } catch (FileRefusal refusal) {
            return ToolExamination.refused(refusal.reasonCode(), refusal.getMessage());
        } catch (PalyraException e) {
            boolean input = e.code() == ErrorCode.INVALID_ARGUMENT;
            return ToolExamination.refused(
                    input ? FileRefusal.INPUT : "sandbox.workspace", e.getMessage());
        }
    }

    private CallFacts facts(Path workspace, String inputJson) throws FileRefusal {
        Touched touched = touched(workspace, inputJson);
        return new CallFacts(
                "",
                "",
                Set.of(),
                0,
                Set.of(),
                Set.of(),
                Set.of(),
                absolute(workspace, touched.read()),
                absolute(workspace, touched.written()),
                Set.of());
    }

    private static Set<String> absolute(Path workspace, Set<BeneathPath> paths) {
        Set<String> texts = new TreeSet<>();
        paths.forEach(path -> texts.add(path.in(workspace)));
        return texts;
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws InterruptedException {
        try {
            String input = order.invocation().inputJson();
            Path workspace = top(order.agentId(), input);
            String digest = FactsDigest.of(facts(workspace, input));
            if (!order.factsSha256().isEmpty() && !order.factsSha256().equals(digest)) {
                return failed(
                        descriptor.name()
                                + " would no longer do what was decided, so it did nothing;"
                                + " call it again.");
            }
            return result(Outcome.SUCCEEDED, ToolResult.of(work(workspace, input)));
        } catch (FileRefusal | PalyraException e) {
            return failed(e.getMessage());
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException(descriptor.name() + " was asked to stop");
            }
            return failed(
                    descriptor.name()
                            + " failed with a file system error: "
                            + e.getClass().getSimpleName()
                            + " "
                            + FileRefusal.shown(String.valueOf(e.getMessage()))
                            + "; nothing was changed unless said otherwise.");
        }
    }

    private static ConfinedResult failed(String sentence) {
        return result(Outcome.FAILED, ToolResult.failed(sentence));
    }

    private static ConfinedResult result(Outcome outcome, ToolResult result) {
        return new ConfinedResult(outcome, result, EXECUTOR, ENFORCEMENT, "");
    }
}
