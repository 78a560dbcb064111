package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.Jcs;

/** Reads a text file of the workspace, or some lines of it. */
public final class ReadFileTool extends FileTool {
    private static final String NAME = "palyra.fs.read_file";
    private static final int MAX_LINES = 10_000;
    private static final int USUAL_LINES = 2_000;
    private static final int MAX_BYTES = 262_144;
    private static final int USUAL_BYTES = 65_536;
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Reads a text file of the workspace, from a line on, up to a number of lines and"
                            + " bytes.",
                    """
                    {"type":"object","additionalProperties":false,"required":["path"],\
                    "properties":{"path":{"type":"string","minLength":1,"maxLength":4095,\
                    "description":"File, relative to the workspace."},\
                    "offset":{"type":"integer","minimum":1,"maximum":2000000000,\
                    "description":"First line, counted from 1; 1 unless given."},\
                    "limit":{"type":"integer","minimum":1,"maximum":10000,\
                    "description":"Most lines; 2000 unless given."},\
                    "max_bytes":{"type":"integer","minimum":1,"maximum":262144,\
                    "description":"Most bytes; 65536 unless given."}}}""",
                    Set.of(Capability.FILESYSTEM_READ),
                    true,
                    true,
                    30_000,
                    16_384);

    /** Creates. */
    public ReadFileTool(Supplier<Workspaces> workspaces) {
        super(workspaces, DESCRIPTOR);
    }

    private static ToolFields fields(String inputJson) {
        return ToolFields.read(NAME, inputJson, "path", "offset", "limit", "max_bytes");
    }

    private static LineWindow window(ToolFields fields) {
        return new LineWindow(
                fields.numberOr("offset", 1, 1, 2_000_000_000),
                fields.numberOr("limit", USUAL_LINES, 1, MAX_LINES),
                fields.numberOr("max_bytes", USUAL_BYTES, 1, MAX_BYTES));
    }

    @Override
    Touched touched(Path workspace, String inputJson) throws FileRefusal {
        ToolFields fields = fields(inputJson);
        BeneathPath path = BeneathPath.of(workspace, fields.text("path", 4_095));
        window(fields);
        return new Touched(Set.of(path), Set.of());
    }

    @Override
    String all() {
        return "Reads any file of the workspace";
    }

    @Override
    String work(Path workspace, String inputJson)
            throws FileRefusal, IOException, InterruptedException {
        ToolFields fields = fields(inputJson);
        BeneathPath path = BeneathPath.of(workspace, fields.text("path", 4_095));
        if (path.isRoot()) {
            throw new FileRefusal(
                    FileRefusal.KIND, "The path is the workspace itself; name a file in it.");
        }
        LineWindow window = window(fields);
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        output.put("path", path.toString());
        try (OpenFolder folder = OpenFolder.at(workspace, path.parent());
                SeekableByteChannel file = folder.read(path.name(), path)) {
            output.put("size_bytes", file.size());
            window.read(file, path);
        }
        window.describe(output);
        return Jcs.text(output);
    }
}
