package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.JsonFields;

/** Applies a unified diff to files of the workspace: all of it, or nothing. */
final class ApplyPatchTool extends FileTool {
    private static final String NAME = "palyra.fs.apply_patch";
    private static final int MAX_PATCH = 1_000_000;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Changes several files of the workspace at once by a patch: all changes are"
                            + " made or none. Use it for changes that belong together, for renames and"
                            + " deletions. For one place in one file palyra.fs.edit_file is simpler."
                            + " The patch is a unified diff (new files with --- /dev/null, deletions"
                            + " with +++ /dev/null, git renames), or the form *** Begin Patch … ***"
                            + " End Patch with *** Update File:, *** Add File:, *** Delete File: and"
                            + " *** Move to:. Kept and removed lines must match the file exactly; line"
                            + " numbers may be left out (@@) where the lines fit at one place only."
                            + " Links are not followed, and protected places, such as .git, are"
                            + " refused. Example: {\"patch\":\"--- a/f.txt\\n+++ b/f.txt\\n@@\\n-old"
                            + " line\\n+new line\\n\"}",
                    """
                    {"type":"object","required":["patch"],\
                    "properties":{"patch":{"type":"string","minLength":1,"maxLength":1000000,\
                    "description":"The patch, with paths relative to the workspace."}}}""",
                    Set.of(Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE),
                    false,
                    false,
                    60_000,
                    1_048_576);

    private final WorkspaceChanges changes;

    /** Creates. */
    ApplyPatchTool(Supplier<Workspaces> workspaces, WorkspaceChanges changes) {
        super(workspaces, DESCRIPTOR, "refused", "patch|input");
        this.changes = changes;
    }

    @Override
    Plan plan(Path workspace, JsonFields input) throws FileRefusal {
        String patch = input.text("patch", MAX_PATCH);
        if (patch.isEmpty()) {
            throw new FileRefusal(FileRefusal.INPUT, "'patch' is empty; send a patch.");
        }
        List<FilePatch> patches = PatchText.read(patch);
        Set<BeneathPath> read = new LinkedHashSet<>();
        Set<BeneathPath> written = new LinkedHashSet<>();
        for (FilePatch file : patches) {
            if (file.from().isPresent()) {
                read.add(file(workspace, file.from().get()));
            }
            for (Optional<String> path : List.of(file.from(), file.to())) {
                if (path.isPresent()) {
                    written.add(file(workspace, path.get()));
                }
            }
        }
        return new Plan(read, written, () -> work(workspace, patches));
    }

    private BeneathPath file(Path workspace, String text) throws FileRefusal {
        BeneathPath path = BeneathPath.of(workspace, text);
        changes.guard(workspace).check(path);
        return path;
    }

    @Override
    String all() {
        return "";
    }

    private ObjectNode work(Path workspace, List<FilePatch> patches)
            throws FileRefusal, IOException, InterruptedException {
        List<PatchTransaction.NewContent> contents = new ArrayList<>();
        List<String> left =
                changes.change(
                        workspace,
                        ground -> {
                            contents.addAll(
                                    new PatchReader(ground, changes.guard(workspace))
                                            .contents(patches));
                            return contents;
                        });
        return output(workspace, patches, contents, left);
    }

    private static ObjectNode output(
            Path workspace,
            List<FilePatch> patches,
            List<PatchTransaction.NewContent> contents,
            List<String> left)
            throws FileRefusal {
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        ArrayNode files = output.putArray("files");
        for (PatchTransaction.NewContent content : contents) {
            String change =
                    content.before().isEmpty()
                            ? "created"
                            : content.after().isEmpty() ? "deleted" : "changed";
            files.addObject().put("path", content.path().toString()).put("change", change);
        }
        putLeft(output, left);
        putHealed(output, workspace, patches, contents);
        return output;
    }

    /** Tells of counts that were wrong, with what came of the patch. */
    private static void putHealed(
            ObjectNode output,
            Path workspace,
            List<FilePatch> patches,
            List<PatchTransaction.NewContent> contents)
            throws FileRefusal {
        Set<BeneathPath> healed = new HashSet<>();
        for (FilePatch patch : patches) {
            for (FilePatch.Hunk hunk : patch.hunks()) {
                if (!hunk.healed().isEmpty()) {
                    output.withArray("healed").add(hunk.healed());
                    healed.add(BeneathPath.of(workspace, patch.to().or(patch::from).orElse("")));
                }
            }
        }
        for (int i = 0; i < contents.size(); i++) {
            PatchTransaction.NewContent content = contents.get(i);
            boolean differs = content.before().isPresent() && content.after().isPresent();
            if (differs && healed.contains(content.path())) {
                ContentTool.describe(
                        content.before().get(),
                        content.after().get().content(),
                        content.path(),
                        (ObjectNode) output.get("files").get(i));
            }
        }
    }

    /** Tells of files that an interrupted call changed, and another program after it. */
    static void putLeft(ObjectNode output, List<String> left) {
        if (!left.isEmpty()) {
            ArrayNode unclear = output.putArray("left_by_an_interrupted_patch");
            left.forEach(unclear::add);
        }
    }
}
