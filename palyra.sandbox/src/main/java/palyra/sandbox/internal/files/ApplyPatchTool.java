package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;

/** Applies a unified diff to files of the workspace: all of it, or nothing. */
public final class ApplyPatchTool extends FileTool {
    private static final String NAME = "palyra.fs.apply_patch";
    private static final int MAX_PATCH = 1_000_000;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Changes files of the workspace by a patch: a unified diff (new files with --- "
                            + "/dev/null, deletions with +++ /dev/null, git renames), or the form"
                            + " *** Begin Patch … *** End Patch with *** Update File:, *** Add"
                            + " File:, *** Delete File: and *** Move to:. All changes are made or"
                            + " none; kept and removed lines must match exactly. Line numbers may"
                            + " be left out (@@) where the lines fit at one place only.",
                    """
                    {"type":"object","additionalProperties":false,"required":["patch"],\
                    "properties":{"patch":{"type":"string","minLength":1,"maxLength":1000000,\
                    "description":"The patch, with paths relative to the workspace."}}}""",
                    Set.of(Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE),
                    false,
                    false,
                    60_000,
                    1_048_576);

    private final WriteGuard guard;
    private final Gate<FolderCalls> folders;
    private final PatchStepListener steps;
    private final Map<Path, ReentrantLock> locks = new ConcurrentHashMap<>(); // one a workspace

    /**
     * Creates.
     *
     * @param protectedPaths what it must not write
     * @param folders what makes folders relative to open ones
     */
    public ApplyPatchTool(
            Supplier<Workspaces> workspaces,
            Supplier<ProtectedPaths> protectedPaths,
            Gate<FolderCalls> folders) {
        this(workspaces, protectedPaths, folders, new PatchStepListener());
    }

    ApplyPatchTool(
            Supplier<Workspaces> workspaces,
            Supplier<ProtectedPaths> protectedPaths,
            Gate<FolderCalls> folders,
            PatchStepListener steps) {
        super(workspaces, DESCRIPTOR);
        this.guard = new WriteGuard(protectedPaths);
        this.folders = folders;
        this.steps = steps;
    }

    private static List<FilePatch> patches(String inputJson) throws FileRefusal {
        return PatchText.read(ToolFields.read(NAME, inputJson, "patch").text("patch", MAX_PATCH));
    }

    @Override
    Touched touched(Path workspace, String inputJson) throws FileRefusal {
        Set<BeneathPath> read = new LinkedHashSet<>();
        Set<BeneathPath> written = new LinkedHashSet<>();
        for (FilePatch patch : patches(inputJson)) {
            if (patch.from().isPresent()) {
                read.add(file(workspace, patch.from().get()));
            }
            for (Optional<String> path : List.of(patch.from(), patch.to())) {
                if (path.isPresent()) {
                    written.add(file(workspace, path.get()));
                }
            }
        }
        return new Touched(read, written);
    }

    private BeneathPath file(Path workspace, String text) throws FileRefusal {
        BeneathPath path = BeneathPath.of(workspace, text);
        guard.check(path);
        return path;
    }

    @Override
    String all() {
        return "";
    }

    @Override
    String work(Path workspace, String inputJson)
            throws FileRefusal, IOException, InterruptedException {
        List<FilePatch> patches = patches(inputJson);
        ReentrantLock lock = locks.computeIfAbsent(workspace, w -> new ReentrantLock());
        lock.lockInterruptibly();
        try (PatchWorkspace ground = PatchWorkspace.open(folders, workspace)) {
            List<String> left = new PatchRollback(ground, guard, steps).leftovers();
            List<PatchTransaction.NewContent> contents =
                    new PatchReader(ground, guard).contents(patches);
            new PatchTransaction(ground, guard, steps, contents).run();
            return output(contents, left);
        } finally {
            lock.unlock();
        }
    }

    private static String output(List<PatchTransaction.NewContent> contents, List<String> left) {
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        ArrayNode files = output.putArray("files");
        for (PatchTransaction.NewContent content : contents) {
            String change =
                    content.before().isEmpty()
                            ? "created"
                            : content.after().isEmpty() ? "deleted" : "changed";
            files.addObject().put("path", content.path().toString()).put("change", change);
        }
        if (!left.isEmpty()) {
            ArrayNode unclear = output.putArray("left_by_an_interrupted_patch");
            left.forEach(unclear::add);
        }
        return Jcs.text(output);
    }
}
