package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.JsonFields;

/** Writes a whole file of the workspace. */
final class WriteFileTool extends ContentTool {
    private static final int MAX_CONTENT = 1_000_000;
    private static final ToolDescriptor DESCRIPTOR =
            descriptor(
                    "palyra.fs.write_file",
                    "Writes a whole text file of the workspace: creates it with the folders that"
                            + " it needs, or replaces all of it. Use it for new files and for files"
                            + " that change from end to end. To change a part of a file use palyra.fs.edit_file."
                            + " To change several files at once use palyra.fs.apply_patch. The content is written"
                            + " exactly as sent, in UTF-8; end it with a newline. An existing file"
                            + " keeps its permissions. Either all of it is written or nothing. The"
                            + " answer says created, replaced or unchanged, with the diff of a"
                            + " replaced file. Places that other programs run code from (.git, shell"
                            + " start files, settings of editors) are protected and refused. Example:"
                            + " {\"path\":\"src/greet.py\",\"content\":\"print('hello')\\n\"}",
                    """
                    {"type":"object","required":["path","content"],\
                    "properties":{"path":{"type":"string","minLength":1,"maxLength":4095,\
                    "description":"File, relative to the workspace."},\
                    "content":{"type":"string","maxLength":1000000,\
                    "description":"All of the file."}}}""");

    /** Creates. */
    WriteFileTool(Supplier<Workspaces> workspaces, WorkspaceChanges changes) {
        super(workspaces, DESCRIPTOR, changes, PATH, "content|contents|text");
    }

    @Override
    Plan plan(Path workspace, JsonFields input) throws FileRefusal {
        Place place = place(workspace, input);
        byte[] content = input.text("content", MAX_CONTENT).getBytes(StandardCharsets.UTF_8);
        return plan(workspace, place, false, (old, output) -> now(old, content, output));
    }

    private static byte[] now(Optional<FileState> old, byte[] content, ObjectNode output) {
        output.put("change", old.isPresent() ? "replaced" : "created");
        return content;
    }
}
