package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.JsonFields;

/** Replaces a text in a file of the workspace, where it is as often as was said. */
final class EditFileTool extends ContentTool {
    private static final int MAX_TEXT = 500_000;
    private static final int MOST_TOLD = 20;
    private static final int ANY = 0;
    private static final ToolDescriptor DESCRIPTOR =
            descriptor(
                    "palyra.fs.edit_file",
                    "Replaces a text in a file of the workspace. Use it for changes to a part of a"
                            + " file; read the file first. old must be in the file exactly, with its"
                            + " spaces, tabs and line breaks, and exactly once, unless count says how"
                            + " often: then all of them are replaced. If old is found more or less"
                            + " often, nothing is changed, and the error says where it was found or"
                            + " which line is nearest. Take enough lines around the place to make old"
                            + " unique. An empty new deletes old. The answer has the diff. In files"
                            + " whose lines end with CR LF you may write \\n. Protected places, such"
                            + " as .git, are refused. Example: {\"path\":\"src/app.py\","
                            + "\"old\":\"retries = 3\\n\",\"new\":\"retries = 5\\n\"}",
                    """
                    {"type":"object","required":["path","old","new"],\
                    "properties":{"path":{"type":"string","minLength":1,"maxLength":4095,\
                    "description":"File, relative to the workspace."},\
                    "old":{"type":"string","minLength":1,"maxLength":500000,\
                    "description":"Text that is in the file now."},\
                    "new":{"type":"string","maxLength":500000,\
                    "description":"Text to put in its place."},\
                    "count":{"type":"integer","minimum":1,"maximum":100000,\
                    "description":"How often old is in the file; 1 unless given."},\
                    "replace_all":{"type":"boolean",\
                    "description":"Replace old wherever it is; count wins when both are given."}}}""");

    /** Creates. */
    EditFileTool(Supplier<Workspaces> workspaces, WorkspaceChanges changes) {
        super(
                workspaces,
                DESCRIPTOR,
                changes,
                PATH,
                "old|old_string|old_str|old_text",
                "new|new_string|new_str|new_text",
                "count|expected_replacements");
    }

    /** What to replace; a count of {@link #ANY} stands for as often as it is there. */
    private record Edit(BeneathPath path, String old, String now, int count) {}

    @Override
    Plan plan(Path workspace, JsonFields input) throws FileRefusal {
        Place place = place(workspace, input);
        Edit edit =
                new Edit(
                        place.named(),
                        bytes(input.text("old", MAX_TEXT)),
                        bytes(input.text("new", MAX_TEXT)),
                        (int)
                                input.number(
                                        "count",
                                        input.flag("replace_all", false) ? ANY : 1,
                                        1,
                                        100_000));
        if (edit.old().isEmpty() || edit.old().equals(edit.now())) {
            throw new FileRefusal(
                    FileRefusal.INPUT,
                    edit.old().isEmpty()
                            ? "'old' is empty; send the text to replace. This tool makes no new file."
                            : "'old' and 'new' are the same, so nothing would change.");
        }
        return plan(workspace, place, true, (file, output) -> now(file, edit, output));
    }

    private static byte[] now(Optional<FileState> file, Edit edit, ObjectNode output)
            throws FileRefusal {
        if (file.isEmpty()) {
            throw new FileRefusal(
                    FileRefusal.NOT_FOUND,
                    "There is no '"
                            + FileRefusal.shown(edit.path().toString())
                            + "' in the workspace, and this tool makes no new file; look at what is in"
                            + " its folder.");
        }
        String text = new String(file.get().content(), StandardCharsets.ISO_8859_1);
        TextPlaces places = new TextPlaces(text, edit.old());
        String now = edit.now();
        if (isCrLf(text) && !edit.old().contains("\r")) {
            places = new TextPlaces(text, withCr(edit.old()));
            now = withCr(now);
        }
        List<Integer> found = places.found();
        int wanted =
                edit.count() == ANY ? Math.clamp(found.size(), 1, TextPlaces.MOST) : edit.count();
        if (found.size() != wanted || places.overlap()) {
            throw new FileRefusal(FileRefusal.EDIT, places.refusal(edit.path(), wanted));
        }
        output.put("change", "changed");
        output.put("replaced", found.size());
        ArrayNode lines = output.putArray("at_lines");
        found.stream().limit(MOST_TOLD).map(places::line).forEach(lines::add);
        return places.replaced(now).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Whether all lines of a text end with CR LF; else its ends are taken as they are sent. */
    private static boolean isCrLf(String text) {
        return text.contains("\n")
                && LineText.lines(text).stream().noneMatch(line -> line.end().equals("\n"));
    }

    private static String withCr(String text) {
        return text.replace("\r\n", "\n").replace("\n", "\r\n");
    }

    /** Returns the UTF-8 of a text as ISO 8859-1: files of any encoding are kept byte by byte. */
    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
