package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * What a patch is about to change, as it is written down before it does: enough to take it back.
 * Agents can write to the file's folder, so its content is checked like any other input.
 *
 * @param changes files, in the order in which they are changed
 * @param folders folders that are made, parents first
 */
record PatchPlan(List<Change> changes, List<BeneathPath> folders) {
    /** Name of the file in the patch folder. */
    static final String FILE = "plan.json";

    private static final int MAX_CHANGES = 1_000;

    /** Copies. */
    PatchPlan {
        changes = List.copyOf(changes);
        folders = List.copyOf(folders);
    }

    /**
     * A file.
     *
     * @param path where
     * @param before digest of the old content; empty for a new file
     * @param after digest of the new content; empty for a deleted file
     */
    record Change(BeneathPath path, String before, String after) {}

    /** Name of the staged content of a change. */
    static String staged(int index) {
        return "new-" + index;
    }

    /** Name of the copy of what was there before a change. */
    static String saved(int index) {
        return "old-" + index;
    }

    byte[] json() {
        ObjectNode plan = JsonNodeFactory.instance.objectNode();
        ArrayNode list = plan.putArray("changes");
        for (Change change : changes) {
            list.addObject()
                    .put("path", change.path().toString())
                    .put("before", change.before())
                    .put("after", change.after());
        }
        ArrayNode made = plan.putArray("folders");
        folders.forEach(folder -> made.add(folder.toString()));
        return Jcs.text(plan).getBytes(StandardCharsets.UTF_8);
    }

    /** Reads a plan and refuses one that no patch of ours can have written. */
    static PatchPlan read(Path workspace, WriteGuard guard, byte[] json) throws FileRefusal {
        JsonNode plan = StrictJson.parse(json, "the plan of an interrupted patch");
        List<Change> changes = new ArrayList<>();
        for (JsonNode change : plan.path("changes")) {
            changes.add(
                    new Change(
                            path(workspace, guard, change.path("path").asText("")),
                            change.path("before").asText(""),
                            change.path("after").asText("")));
        }
        List<BeneathPath> folders = new ArrayList<>();
        for (JsonNode folder : plan.path("folders")) {
            folders.add(path(workspace, guard, folder.asText("")));
        }
        if (changes.size() > MAX_CHANGES || folders.size() > MAX_CHANGES) {
            throw new FileRefusal(FileRefusal.PATCH, "The plan of a patch is too long.");
        }
        return new PatchPlan(changes, folders);
    }

    private static BeneathPath path(Path workspace, WriteGuard guard, String text)
            throws FileRefusal {
        BeneathPath path = BeneathPath.ofShown(workspace, text);
        if (path.isRoot() || text.startsWith("/")) {
            throw new FileRefusal(FileRefusal.PATCH, "The plan of a patch names no file.");
        }
        guard.check(path);
        return path;
    }
}
