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
import palyra.shared.json.JsonFields;

/** Lists a folder of the workspace, a page at a time, in an order that stays. */
final class ListDirTool extends FileTool {
    private static final int MAX_PATTERN = 256;
    private static final int MAX_ENTRIES_BYTES = 120_000;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    "palyra.fs.list_dir",
                    "Lists files and folders of the workspace with type and size. Use it to find"
                            + " your way, in place of ls and find. To look for a text use palyra.fs.search. Paths"
                            + " come back relative to the workspace, as the other file tools take them;"
                            + " in odd names control characters and bytes that are not UTF-8 are"
                            + " escaped (\\n, \\xFF). A link says where it leads within the workspace."
                            + " With depth above 1, what .gitignore leaves out is listed as ignored and"
                            + " not entered, unless include_ignored is true. When more is true, send"
                            + " the cursor of the answer for the next page. Example:"
                            + " {\"path\":\"src\",\"depth\":3,\"glob\":\"*.{ts,tsx}\"}",
                    """
                    {"type":"object","properties":{\
                    "path":{"type":"string","maxLength":4095,\
                    "description":"Folder, relative to the workspace; its top unless given."},\
                    "depth":{"type":"integer","minimum":1,"maximum":32,\
                    "description":"How many folders deep; 1 unless given."},\
                    "glob":{"type":"string","maxLength":256,\
                    "description":"Pattern with *, **, ? and {a,b} for the path below the folder, or\
                     for the name if it has no slash."},\
                    "include_ignored":{"type":"boolean",\
                    "description":"Whether to enter folders that .gitignore leaves out, and .git."},\
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
    ListDirTool(Supplier<Workspaces> workspaces) {
        super(
                workspaces,
                DESCRIPTOR,
                "within-workspace",
                "path|folder|directory|dir",
                "glob|pattern");
    }

    private record Request(
            Path workspace,
            Place place,
            int depth,
            Glob glob,
            String pattern,
            boolean all,
            int limit,
            Optional<BeneathPath> cursor) {}

    @Override
    Plan plan(Path workspace, JsonFields input) throws FileRefusal {
        Place place = Place.of(workspace, input.optionalText("path", MAX_PATH).orElse(""));
        String cursor = input.optionalText("cursor", MAX_PATH).orElse("");
        Request request =
                new Request(
                        workspace,
                        place,
                        (int) input.number("depth", 1, 1, 32),
                        Glob.ofInput(input.optionalText("glob", MAX_PATTERN).orElse("")),
                        input.optionalText("glob", MAX_PATTERN).orElse(""),
                        input.flag("include_ignored", false),
                        (int) input.number("limit", 200, 1, 1_000),
                        cursor.isEmpty()
                                ? Optional.empty()
                                : Optional.of(BeneathPath.ofShown(workspace, cursor)));
        return new Plan(place.both(), Set.of(), () -> work(request));
    }

    @Override
    String all() {
        return "Lists any folder of the workspace";
    }

    private static ObjectNode work(Request request)
            throws FileRefusal, IOException, InterruptedException {
        Page page = new Page(request);
        boolean whole =
                new TreeWalk(request.depth(), !request.all(), page)
                        .walk(request.workspace(), request.place().real());
        return page.output(whole);
    }

    /** Collects one page. */
    private static final class Page implements TreeWalk.Visitor {
        private final Request request;
        private final ArrayNode entries = JsonNodeFactory.instance.arrayNode();
        private int files;
        private int folders;
        private int links;
        private int others;
        private int bytes;
        private int looked;
        private BeneathPath last;

        Page(Request request) {
            this.request = request;
            this.last = request.cursor().orElse(request.place().real());
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
            looked++;
            return !shown
                    || !request.glob().matches(path.below(request.place().real()))
                    || added(path, found);
        }

        @Override
        public boolean ignored(BeneathPath path, PosixFileAttributes found) {
            int before = entries.size();
            boolean on = entry(null, path, found);
            if (entries.size() > before && request.depth() > 1) {
                ((ObjectNode) entries.get(before)).put("ignored", true);
            }
            return on;
        }

        private boolean added(BeneathPath path, PosixFileAttributes found) {
            if (entries.size() >= request.limit() || bytes > MAX_ENTRIES_BYTES) {
                return false;
            }
            last = path;
            ObjectNode entry = entries.addObject();
            entry.put("path", path.toString());
            entry.put("type", type(found));
            if (found.isRegularFile()) {
                entry.put("size_bytes", found.size());
            }
            entry.put("modified_millis", found.lastModifiedTime().toMillis());
            if (found.isSymbolicLink()) {
                Optional<BeneathPath> to = Place.ofLink(request.workspace(), path);
                to.ifPresentOrElse(
                        end -> entry.put("link_to", end.toString()),
                        () -> entry.put("leads_outside", true));
            }
            bytes += Jcs.bytes(entry).length;
            return true;
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
            output.put("path", request.place().named().toString());
            if (request.place().isLed()) {
                output.put("link_to", request.place().real().toString());
            }
            output.set("entries", entries);
            output.putObject("counts")
                    .put("files", files)
                    .put("folders", folders)
                    .put("links", links)
                    .put("others", others);
            output.put("more", !whole);
            if (!whole) {
                output.put("cursor", last.toString());
            } else if (entries.isEmpty() && !request.pattern().isEmpty()) {
                output.put(
                        "hint",
                        "None of the "
                                + looked
                                + " entries down to depth "
                                + request.depth()
                                + " fits the glob '"
                                + FileRefusal.shown(request.pattern())
                                + "'. "
                                + Glob.FORM);
            }
            return output;
        }
    }
}
