package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.JsonFields;

/** Searches text files of the workspace, line by line, for a text or a regular expression. */
final class SearchTool extends FileTool {
    private static final int MAX_PATTERN = 512;
    private static final int MAX_CONTEXT = 10;
    private static final Duration USUAL_TIME = Duration.ofSeconds(10);
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    "palyra.fs.search",
                    "Searches the text files of a folder of the workspace, or one file, line by"
                            + " line. Use it in place of grep and rg. The pattern is a plain text"
                            + " unless regex is true. What .gitignore leaves out and .git are not"
                            + " searched unless include_ignored is true; binary files, files above 4"
                            + " MiB and links below the folder are left out and counted. It ends after"
                            + " 10 seconds, limit matches or 120 KB of answer: complete says whether it"
                            + " saw everything. Example: {\"pattern\":\"def \\\\w+_user\","
                            + "\"regex\":true,\"path\":\"src\",\"glob\":\"*.py\",\"context\":2}",
                    """
                    {"type":"object","required":["pattern"],\
                    "properties":{"pattern":{"type":"string","minLength":1,"maxLength":512,\
                    "description":"Text to find, or a regular expression (Java) with regex."},\
                    "regex":{"type":"boolean","description":"Whether it is a regular expression."},\
                    "ignore_case":{"type":"boolean",\
                    "description":"Whether upper and lower case are the same."},\
                    "path":{"type":"string","maxLength":4095,\
                    "description":"Folder or file, relative to the workspace; its top unless given."},\
                    "glob":{"type":"string","maxLength":256,\
                    "description":"Pattern with *, **, ? and {a,b} for the paths to look at."},\
                    "context":{"type":"integer","minimum":0,"maximum":10,\
                    "description":"Lines before and after each match; none unless given."},\
                    "include_ignored":{"type":"boolean",\
                    "description":"Whether to search what .gitignore leaves out, and .git."},\
                    "limit":{"type":"integer","minimum":1,"maximum":1000,\
                    "description":"Most matching lines; 100 unless given."}}}""",
                    Set.of(Capability.FILESYSTEM_READ),
                    true,
                    true,
                    60_000,
                    32_768);

    private final Duration time;

    /** Creates. */
    SearchTool(Supplier<Workspaces> workspaces) {
        this(workspaces, USUAL_TIME);
    }

    SearchTool(Supplier<Workspaces> workspaces, Duration time) {
        super(
                workspaces,
                DESCRIPTOR,
                "within-workspace",
                "pattern|query",
                "ignore_case|case_insensitive",
                "path|folder|directory",
                "glob|include",
                "limit|max_results");
        this.time = time;
    }

    /** What is looked for, and where. */
    record Request(
            Path workspace,
            Place place,
            Pattern pattern,
            Glob glob,
            int context,
            boolean all,
            int limit) {}

    @Override
    Plan plan(Path workspace, JsonFields input) throws FileRefusal {
        int flags = input.flag("regex", false) ? 0 : Pattern.LITERAL;
        if (input.flag("ignore_case", false)) {
            flags |= Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
        }
        Request request =
                new Request(
                        workspace,
                        Place.of(workspace, input.optionalText("path", MAX_PATH).orElse("")),
                        compiled(input.text("pattern", MAX_PATTERN), flags),
                        Glob.ofInput(input.optionalText("glob", 256).orElse("")),
                        (int) input.number("context", 0, 0, MAX_CONTEXT),
                        input.flag("include_ignored", false),
                        (int) input.number("limit", 100, 1, 1_000));
        return new Plan(request.place().both(), Set.of(), () -> work(request));
    }

    private static Pattern compiled(String text, int flags) throws FileRefusal {
        if (text.isEmpty()) {
            throw new FileRefusal(FileRefusal.INPUT, "The pattern is empty; send what to find.");
        }
        try {
            return Pattern.compile(text, flags);
        } catch (PatternSyntaxException e) {
            int at = Math.max(0, Math.min(e.getIndex(), text.length()));
            throw new FileRefusal(
                    FileRefusal.INPUT,
                    "The pattern is not a regular expression of Java: "
                            + e.getDescription()
                            + " at character "
                            + (at + 1)
                            + ", after '"
                            + FileRefusal.shown(text.substring(0, at))
                            + "'; correct it, or leave out regex to find it as a text.");
        }
    }

    @Override
    String all() {
        return "Searches any files of the workspace";
    }

    private ObjectNode work(Request request) throws FileRefusal, IOException, InterruptedException {
        FileSearch search = new FileSearch(request, System.nanoTime() + time.toNanos());
        boolean whole = walk(request, search);
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        output.put("path", request.place().named().toString());
        search.describe(output, whole);
        return output;
    }

    private static boolean walk(Request request, FileSearch search)
            throws FileRefusal, IOException, InterruptedException {
        try {
            return isFile(request, search)
                    || new TreeWalk(Integer.MAX_VALUE, !request.all(), search)
                            .walk(request.workspace(), request.place().real());
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

    /** Returns whether the place is a file, which is searched then. */
    private static boolean isFile(Request request, FileSearch search)
            throws IOException, FileRefusal, InterruptedException {
        BeneathPath path = request.place().real();
        if (path.isRoot()) {
            return false;
        }
        try (OpenFolder folder = OpenFolder.at(request.workspace(), path.parent())) {
            Optional<PosixFileAttributes> found = folder.attributes(path.name());
            boolean is = found.isPresent() && found.get().isRegularFile();
            if (is) {
                search.file(folder, path, found.get());
            }
            return is;
        }
    }
}
