package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.Jcs;

/** Lists a folder of the workspace, a page at a time, in an order that stays. */
public final class ListDirTool extends FileTool {
    private static final String NAME = "palyra.fs.list_dir";
    private static final int MAX_PATTERN = 256;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Lists files and folders of the workspace. Links are shown and not followed."
                            + " Give the cursor of an answer to get the next page.",
                    """
                    {"type":"object","additionalProperties":false,"properties":{\
                    "path":{"type":"string","maxLength":4095,\
                    "description":"Folder, relative to the workspace; its top unless given."},\
                    "depth":{"type":"integer","minimum":1,"maximum":32,\
                    "description":"How many folders deep; 1 unless given."},\
                    "glob":{"type":"string","maxLength":256,\
                    "description":"Pattern with *, ** and ? for the path below the folder, or for\
                     the name if it has no slash."},\
                    "limit":{"type":"integer","minimum":1,"maximum":1000,\
                    "description":"Most entries; 200 unless given."},\
                    "cursor":{"type":"string","maxLength":4095,\
                    "description":"Where the last page ended."}}}""",
                    Set.of(Capability.FILESYSTEM_READ),
                    true,
                    true,
                    30_000,
                    32_768);

    /** Creates. */
    public ListDirTool(Supplier<Workspaces> workspaces) {
        super(workspaces, DESCRIPTOR);
    }

    private record Request(
            BeneathPath folder, int depth, Glob glob, int limit, Optional<BeneathPath> cursor) {}

    private static Request request(Path workspace, String inputJson) throws FileRefusal {
        ToolFields fields =
                ToolFields.read(NAME, inputJson, "path", "depth", "glob", "limit", "cursor");
        String cursor = fields.textOr("cursor", "", 4_095);
        return new Request(
                BeneathPath.of(workspace, fields.textOr("path", "", 4_095)),
                fields.numberOr("depth", 1, 1, 32),
                new Glob(fields.textOr("glob", "", MAX_PATTERN)),
                fields.numberOr("limit", 200, 1, 1_000),
                cursor.isEmpty()
                        ? Optional.empty()
                        : Optional.of(BeneathPath.of(workspace, cursor)));
    }

    @Override
    Touched touched(Path workspace, String inputJson) throws FileRefusal {
        return new Touched(Set.of(request(workspace, inputJson).folder()), Set.of());
    }

    @Override
    String all() {
        return "Lists any folder of the workspace";
    }

    @Override
    String work(Path workspace, String inputJson)
            throws FileRefusal, IOException, InterruptedException {
        Request request = request(workspace, inputJson);
        Page page = new Page(request);
        boolean whole = new TreeWalk(request.depth(), page).walk(workspace, request.folder());
        return Jcs.text(page.output(whole));
    }

    /** Collects one page. */
    private static final class Page implements TreeWalk.Visitor {
        private final Request request;
        private final ArrayNode entries = JsonNodeFactory.instance.arrayNode();
        private int files;
        private int folders;
        private int links;
        private int others;
        private BeneathPath last;

        Page(Request request) {
            this.request = request;
            this.last = request.cursor().orElse(request.folder());
        }

        @Override
        public boolean enter(BeneathPath path) {
            return request.cursor()
                    .map(from -> TreeWalk.isIn(from, path) || TreeWalk.compare(path, from) > 0)
                    .orElse(true);
        }

        @Override
        public boolean entry(OpenFolder folder, BeneathPath path, PosixFileAttributes found) {
            boolean shown =
                    request.cursor().map(from -> TreeWalk.compare(path, from) > 0).orElse(true);
            if (!shown || !request.glob().matches(relative(path))) {
                return true;
            }
            if (entries.size() >= request.limit()) {
                return false;
            }
            add(path, found);
            return true;
        }

        private String relative(BeneathPath path) {
            int above = request.folder().names().size();
            return String.join("/", path.names().subList(above, path.names().size()));
        }

        private void add(BeneathPath path, PosixFileAttributes found) {
            last = path;
            ObjectNode entry = entries.addObject();
            entry.put("path", path.toString());
            entry.put("type", type(found));
            if (found.isRegularFile()) {
                entry.put("size_bytes", found.size());
            }
            entry.put("modified_millis", found.lastModifiedTime().toMillis());
        }

        private String type(PosixFileAttributes found) {
            if (found.isRegularFile()) {
                files++;
                return "file";
            }
            if (found.isDirectory()) {
                folders++;
                return "folder";
            }
            if (found.isSymbolicLink()) {
                links++;
                return "link";
            }
            others++;
            return "other";
        }

        ObjectNode output(boolean whole) {
            ObjectNode output = JsonNodeFactory.instance.objectNode();
            output.put("path", request.folder().toString());
            output.set("entries", entries);
            output.putObject("counts")
                    .put("files", files)
                    .put("folders", folders)
                    .put("links", links)
                    .put("others", others);
            output.put("more", !whole);
            if (!whole) {
                output.put("cursor", last.toString());
            }
            return output;
        }
    }
}
