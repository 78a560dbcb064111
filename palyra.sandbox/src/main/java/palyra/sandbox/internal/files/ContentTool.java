package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.JsonFields;

/** Changes the content of one file in one step, with all that holds for patches. Thread-safe. */
abstract class ContentTool extends FileTool {
    private static final long TIMEOUT_MILLIS = 60_000;
    private static final int MAX_INPUT_BYTES = 1_048_576;

    private final WorkspaceChanges changes;

    ContentTool(
            Supplier<Workspaces> workspaces,
            ToolDescriptor descriptor,
            WorkspaceChanges changes,
            String... spellings) {
        super(workspaces, descriptor, "within-workspace", spellings);
        this.changes = changes;
    }

    static ToolDescriptor descriptor(String name, String description, String schema) {
        return new ToolDescriptor(
                name,
                description,
                schema,
                Set.of(Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE),
                false,
                false,
                TIMEOUT_MILLIS,
                MAX_INPUT_BYTES);
    }

    /** Works out a new content. */
    interface Change {
        /**
         * Returns the new content and tells about it.
         *
         * @param old the file; empty when it does not exist
         */
        byte[] content(Optional<FileState> old, ObjectNode output) throws FileRefusal;
    }

    /** Reads the path, and refuses one that must not be written, or leads to one. */
    Place place(Path workspace, JsonFields input) throws FileRefusal {
        Place place = Place.of(workspace, input.text("path", MAX_PATH));
        if (place.real().isRoot()) {
            throw new FileRefusal(
                    FileRefusal.INPUT, "The path is the workspace itself; name a file in it.");
        }
        changes.guard(workspace).check(place.named());
        changes.guard(workspace).check(place.real());
        return place;
    }

    /** Returns what a call comes to. */
    Plan plan(Path workspace, Place place, boolean reads, Change change) {
        return new Plan(
                reads ? place.both() : Set.of(),
                place.both(),
                () -> work(workspace, place, change));
    }

    @Override
    String all() {
        return "";
    }

    private ObjectNode work(Path workspace, Place place, Change change)
            throws FileRefusal, IOException, InterruptedException {
        BeneathPath path = place.real();
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        output.put("path", place.named().toString());
        if (place.isLed()) {
            output.put("link_to", path.toString());
        }
        List<String> left =
                changes.change(workspace, ground -> contents(ground, path, change, output));
        ApplyPatchTool.putLeft(output, left);
        return output;
    }

    private static List<PatchTransaction.NewContent> contents(
            PatchWorkspace ground, BeneathPath path, Change change, ObjectNode output)
            throws IOException, FileRefusal {
        Optional<FileState> old = state(ground, path, FileState.MAX_BYTES);
        byte[] content = change.content(old, output);
        if (content.length > FileState.MAX_BYTES) {
            throw new FileRefusal(
                    FileRefusal.KIND,
                    "'"
                            + FileRefusal.shown(path.toString())
                            + "' would have more than "
                            + FileState.MAX_BYTES
                            + " bytes. Nothing was changed.");
        }
        output.put("size_bytes", content.length);
        if (old.isPresent() && Arrays.equals(old.get().content(), content)) {
            output.put("change", "unchanged");
            return List.of();
        }
        old.ifPresent(before -> describe(before, content, path, output));
        FileState after = new FileState(content, old.map(FileState::mode).orElse(FileState.NEW));
        return List.of(new PatchTransaction.NewContent(path, old, Optional.of(after)));
    }

    /** Tells what becomes of a file. */
    static void describe(FileState before, byte[] after, BeneathPath path, ObjectNode output) {
        if (FileKind.isBinary(before.content(), before.content().length)) {
            output.put("hint", "The file was a binary one, so no diff is shown.");
            return;
        }
        TextDiff.of(
                        new String(before.content(), StandardCharsets.ISO_8859_1),
                        new String(after, StandardCharsets.ISO_8859_1))
                .describe(output, path.toString());
    }

    /** Returns a file of at most so many bytes that may be replaced; empty when none is there. */
    static Optional<FileState> state(PatchWorkspace ground, BeneathPath path, int maxBytes)
            throws IOException, FileRefusal {
        try (OpenFolder folder = ground.at(path.parent())) {
            Optional<FileState> found = FileState.read(folder, path, maxBytes);
            FileState.requireOneName(ground.workspace(), folder, path);
            return found;
        } catch (FileRefusal e) {
            if (!e.reasonCode().equals(FileRefusal.NOT_FOUND)) { // its folder will be made
                throw e;
            }
            return Optional.empty();
        }
    }
}
