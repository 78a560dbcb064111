package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.Jcs;

/** Searches text files of the workspace, line by line, for a text or a regular expression. */
public final class SearchTool extends FileTool {
    private static final String NAME = "palyra.fs.search";
    private static final int MAX_PATTERN = 512;
    private static final Duration USUAL_TIME = Duration.ofSeconds(10);
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Searches the text files of a folder of the workspace line by line. Binary"
                            + " files,"
                            + " files above 4 MiB and links are left out and counted.",
                    """
                    {"type":"object","additionalProperties":false,"required":["pattern"],\
                    "properties":{"pattern":{"type":"string","minLength":1,"maxLength":512,\
                    "description":"Text to find, or a regular expression (Java) with regex."},\
                    "regex":{"type":"boolean","description":"Whether it is a regular expression."},\
                    "ignore_case":{"type":"boolean"},\
                    "path":{"type":"string","maxLength":4095,\
                    "description":"Folder, relative to the workspace; its top unless given."},\
                    "glob":{"type":"string","maxLength":256,\
                    "description":"Pattern with *, ** and ? for the paths to look at."},\
                    "limit":{"type":"integer","minimum":1,"maximum":1000,\
                    "description":"Most matching lines; 100 unless given."}}}""",
                    Set.of(Capability.FILESYSTEM_READ),
                    true,
                    true,
                    60_000,
                    32_768);

    private final Duration time;

    /** Creates. */
    public SearchTool(Supplier<Workspaces> workspaces) {
        this(workspaces, USUAL_TIME);
    }

    SearchTool(Supplier<Workspaces> workspaces, Duration time) {
        super(workspaces, DESCRIPTOR);
        this.time = time;
    }

    private record Request(BeneathPath folder, Pattern pattern, Glob glob, int limit) {}

    private static Request request(Path workspace, String inputJson) throws FileRefusal {
        ToolFields fields =
                ToolFields.read(
                        NAME,
                        inputJson,
                        "pattern",
                        "regex",
                        "ignore_case",
                        "path",
                        "glob",
                        "limit");
        int flags = fields.flag("regex") ? 0 : Pattern.LITERAL;
        if (fields.flag("ignore_case")) {
            flags |= Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
        }
        return new Request(
                BeneathPath.of(workspace, fields.textOr("path", "", 4_095)),
                compiled(fields.text("pattern", MAX_PATTERN), flags),
                new Glob(fields.textOr("glob", "", 256)),
                fields.numberOr("limit", 100, 1, 1_000));
    }

    private static Pattern compiled(String text, int flags) throws FileRefusal {
        try {
            return Pattern.compile(text, flags);
        } catch (PatternSyntaxException e) {
            throw new FileRefusal(
                    FileRefusal.INPUT,
                    "The pattern is not a regular expression: "
                            + e.getDescription()
                            + " near character "
                            + e.getIndex()
                            + "; correct it, or leave out regex to find it as a text.");
        }
    }

    @Override
    Touched touched(Path workspace, String inputJson) throws FileRefusal {
        return new Touched(Set.of(request(workspace, inputJson).folder()), Set.of());
    }

    @Override
    String all() {
        return "Searches any files of the workspace";
    }

    @Override
    String work(Path workspace, String inputJson)
            throws FileRefusal, IOException, InterruptedException {
        Request request = request(workspace, inputJson);
        long deadline = System.nanoTime() + time.toNanos();
        FileSearch search =
                new FileSearch(
                        request.folder(),
                        request.pattern(),
                        request.glob(),
                        request.limit(),
                        deadline);
        boolean whole = walk(workspace, request.folder(), search);
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        output.put("path", request.folder().toString());
        search.describe(output);
        output.put("complete", whole);
        return Jcs.text(output);
    }

    private static boolean walk(Path workspace, BeneathPath folder, FileSearch search)
            throws FileRefusal, IOException, InterruptedException {
        try {
            return new TreeWalk(Integer.MAX_VALUE, search).walk(workspace, folder);
        } catch (DeadlineText.OutOfTime e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the search was asked to stop");
            }
            search.outOfTime();
            return false;
        } catch (StackOverflowError e) {
            throw new FileRefusal(
                    FileRefusal.INPUT,
                    "The regular expression needs too many steps for a line of this workspace;"
                            + " send a simpler one.");
        }
    }
}
