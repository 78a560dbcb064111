package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
import palyra.api.tool.ToolImage;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.shape.FileShape;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.Jcs;
import palyra.shared.json.JsonFields;
import palyra.shared.json.StrictJson;
import palyra.shared.tool.FactsDigest;

/**
 * What the file tools have in common: which paths a call names is found out before it is decided,
 * and again, from the same code, before it happens. Thread-safe.
 */
abstract class FileTool implements ConfinedTool {
    /** How a field that names a path may be spelled. */
    static final String PATH = "path|file_path|filename|file";

    static final int MAX_PATH = 4_095; // PATH_MAX

    private static final String EXECUTOR = "builtin";

    /** Fields of an output that name paths, and those with lists of objects that do. */
    private static final List<String> PATHS = List.of("path", "link_to");

    private static final List<String> LISTS = List.of("entries", "matches");

    private final Supplier<Workspaces> workspaces;
    private final ToolDescriptor descriptor;
    private final String links;
    private final String[] spellings;

    /**
     * Creates.
     *
     * @param links what it does with symbolic links, for the record
     * @param spellings other names of its fields, see {@link JsonFields#ofToolInput}
     */
    FileTool(
            Supplier<Workspaces> workspaces,
            ToolDescriptor descriptor,
            String links,
            String... spellings) {
        this.workspaces = workspaces;
        this.descriptor = descriptor;
        this.links = links;
        this.spellings = spellings.clone();
    }

    /** What is done to do what a call asks for. */
    interface Work {
        /** Does it and returns the output. */
        ObjectNode run() throws FileRefusal, IOException, InterruptedException;

        /** Returns the images that go with the output, once it was done. */
        default List<ToolImage> images() {
            return List.of();
        }
    }

    /**
     * What a call would do: what is decided is what is done.
     *
     * @param read paths that it reads
     * @param written paths that it writes
     */
    record Plan(Set<BeneathPath> read, Set<BeneathPath> written, Work work) {}

    /** Reads the input and says what it comes to; changes nothing. */
    abstract Plan plan(Path workspace, JsonFields input) throws FileRefusal;

    /**
     * Returns what any call of the tool does, to be followed by the name of the workspace; empty
     * when a person may allow equal calls only.
     */
    abstract String all();

    /** Does the work and returns the output as JSON. */
    String work(Path workspace, String inputJson)
            throws FileRefusal, IOException, InterruptedException {
        JsonFields input = input(inputJson);
        return text(plan(workspace, input).work().run(), input);
    }

    private JsonFields input(String inputJson) {
        return JsonFields.ofToolInput(descriptor, inputJson, spellings);
    }

    private static String text(ObjectNode output, JsonFields input) {
        if (!input.note().isEmpty()) {
            output.put("note", input.note());
        }
        return Jcs.text(output);
    }

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
        JsonNode input = StrictJson.parse(inputJson, descriptor.name());
        boolean ofOutputs =
                Stream.of(PATH.split("\\|", -1))
                        .anyMatch(
                                name ->
                                        (input.path(name).asText("") + "/")
                                                .startsWith(outputs + "/"));
        return descriptor.readOnly() && ofOutputs ? outputs : workspace;
    }

    /** What finds out what a call would do. */
    interface Examination {
        /** Finds it out. */
        ToolExamination facts() throws FileRefusal;
    }

    @Override
    public ToolExamination examine(ToolProposed proposed) {
        return examined(
                () -> {
                    Path workspace = top(proposed.agentId(), proposed.inputJson());
                    CallFacts facts =
                            facts(workspace, plan(workspace, input(proposed.inputJson())));
                    return ToolExamination.facts(
                            facts, FileShape.of(descriptor.name(), all(), workspace, facts));
                });
    }

    /** Returns what was found out, or why the call is refused. */
    static ToolExamination examined(Examination examination) {
        try {
            return examination.facts();
        } catch (FileRefusal refusal) {
            return ToolExamination.refused(refusal.reasonCode(), refusal.getMessage());
        } catch (PalyraException e) {
            boolean input = e.code() == ErrorCode.INVALID_ARGUMENT;
            return ToolExamination.refused(
                    input ? FileRefusal.INPUT : "sandbox.workspace", e.getMessage());
        }
    }

    static CallFacts facts(Path workspace, Plan plan) {
        return new CallFacts(
                "",
                "",
                Set.of(),
                0,
                Set.of(),
                Set.of(),
                Set.of(),
                absolute(workspace, plan.read()),
                absolute(workspace, plan.written()),
                Set.of());
    }

    private static Set<String> absolute(Path workspace, Set<BeneathPath> paths) {
        Set<String> texts = new TreeSet<>();
        paths.forEach(path -> texts.add(path.in(workspace)));
        return texts;
    }

    @Override
    public ConfinedResult run(ToolOrder order) throws InterruptedException {
        String note = "";
        try {
            Path workspace = top(order.agentId(), order.invocation().inputJson());
            JsonFields input = input(order.invocation().inputJson());
            note = input.note();
            Plan plan = plan(workspace, input);
            String digest = FactsDigest.of(facts(workspace, plan));
            if (!order.factsSha256().isEmpty() && !order.factsSha256().equals(digest)) {
                return failed(
                        descriptor.name()
                                + " would no longer do what was decided, so it did nothing;"
                                + " call it again.",
                        note);
            }
            ObjectNode found = plan.work().run();
            if (workspace.equals(workspaces.get().outputs(order.agentId()))) {
                makeAbsolute(found, workspace);
            }
            String output = text(found, input);
            return result(Outcome.SUCCEEDED, ToolResult.of(output), plan.work().images());
        } catch (FileRefusal | PalyraException e) {
            return failed(e.getMessage(), note);
        } catch (AccessDeniedException e) {
            return failed(
                    descriptor.name()
                            + " may not open '"
                            + FileRefusal.shown(String.valueOf(e.getFile()))
                            + "': its permissions keep the gateway's user from it; its owner can"
                            + " change them (chmod u+rwX).",
                    note);
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
                            + "; nothing was changed unless said otherwise.",
                    note);
        }
    }

    /** Paths of output files are not below the workspace, from which relative ones are read. */
    private static void makeAbsolute(ObjectNode node, Path top) {
        for (String name : PATHS) {
            String path = node.path(name).asText("");
            if (!path.isEmpty()) {
                node.put(name, path.equals(".") ? top.toString() : top + "/" + path);
            }
        }
        for (String name : LISTS) {
            node.path(name).forEach(each -> makeAbsolute((ObjectNode) each, top));
        }
    }

    private ConfinedResult failed(String sentence, String note) {
        boolean told = note.isEmpty() || sentence.contains(note);
        return result(
                Outcome.FAILED,
                ToolResult.failed(told ? sentence : sentence + " (" + note + ")"),
                List.of());
    }

    private ConfinedResult result(Outcome outcome, ToolResult result, List<ToolImage> images) {
        return new ConfinedResult(
                outcome, result, EXECUTOR, "none fs=beneath-workspace links=" + links, "", images);
    }
}
