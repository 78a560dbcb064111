package palyra.sandbox.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.CallPattern;
import palyra.api.core.tools.ToolExamination;

/** What a person reads, and why a call may be allowed once only. */
class ShapeTest {
    private static final String RUN = "palyra.process.run";

    @TempDir Path temp;
    private ShapeStage stage;

    @BeforeEach
    void begin() throws IOException {
        stage = new ShapeStage(temp);
    }

    @AfterEach
    void end() {
        stage.close();
    }

    private ToolExamination.Facts examined(String tool, String input) {
        return assertInstanceOf(ToolExamination.Facts.class, stage.examine(tool, input));
    }

    private CallDescription described(String tool, String input) {
        return examined(tool, input).description();
    }

    private CallPattern pattern(String tool, String input) {
        return described(tool, input).pattern().orElseThrow();
    }

    @Test
    void summarySaysExactlyWhatWouldRun() {
        CallDescription told =
                described(
                        RUN,
                        "{\"command\":\"mytool\",\"args\":[\"a b\",\"x\\n\\u202e\"],\"cwd\":\"src\","
                                + "\"stdin\":\"h\\u00e9\",\"hosts\":[\"a.example\"],\"timeout_ms\":5}");
        assertEquals(
                "Runs "
                        + stage.root
                        + "/bin/mytool \"a b\" \"x\\u{a}\\u{202e}\" in "
                        + stage.workspace
                        + "/src, reading 3 bytes of input from the call, reaching"
                        + " a.example:443, for at most 5 ms.",
                told.summary());
        assertEquals(List.of(stage.root + "/bin/mytool", "a b", "x\n\u202e"), told.argv());
    }

    @Test
    void whatIsNoBareNameIsAnsweredWithTheToolForLines() {
        for (String command : List.of("cd proj && ls", "./a.out", "/bin/ls", "git commit -m x")) {
            ToolExamination.Refused refused =
                    assertInstanceOf(
                            ToolExamination.Refused.class,
                            stage.examine(RUN, "{\"command\":\"" + command + "\"}"));
            assertTrue(refused.reason().contains("such as ls, and the arguments in args. For a"));
            assertTrue(refused.reason().contains("use palyra.process.shell. If no tool"));
        }
    }

    @Test
    void textsAndListsInPlaceOfEachOtherAreToldWithAnExample() {
        String text = stage.examine(RUN, "{\"command\":\"ls\",\"args\":\"-la\"}").toString();
        assertTrue(text.contains("send a list of texts, such as [\"-la\"]"), text);
        String list = stage.examine(RUN, "{\"command\":[\"ls\",\"-la\"]}").toString();
        assertTrue(list.contains("send the program as a text, such as \"ls\", and the rest"), list);
    }

    @Test
    void summarySaysWhichProtectedPathsAreWritten() {
        String input = "{\"command\":\"ls\",\"protected_paths\":[\".vscode\",\".idea/x y\"]}";
        CallDescription told = described(RUN, input);
        assertEquals(
                "Runs "
                        + stage.root
                        + "/bin/ls in "
                        + stage.workspace
                        + ". It writes \""
                        + stage.workspace
                        + "/.idea/x y\" "
                        + stage.workspace
                        + "/.vscode. Programs outside of the sandbox run what is there, such as an"
                        + " editor, git or a shell. With a yes to this call it is written and"
                        + " stays.",
                told.summary());
        assertTrue(told.pattern().isEmpty(), "a yes is one to this call");
        assertTrue(described(RUN, "{\"command\":\"ls\"}").pattern().isPresent());
    }

    @Test
    void patternSaysExactlyWhatIsCovered() {
        CallPattern pattern =
                pattern(
                        RUN,
                        "{\"command\":\"git\",\"args\":[\"log\",\"-n\",\"5\",\"--oneline\","
                                + "\"--stat\",\"--date=iso\",\"src\"]}");
        assertEquals(
                "Runs git log ("
                        + stage.root
                        + "/bin/git, unchanged) in "
                        + stage.workspace
                        + " on any files and revisions of the workspace, always with --stat, with"
                        + " none or some of the options --date=iso, --oneline, -n with any value,"
                        + " reaching no host, without input.",
                pattern.sentence());
        assertEquals(Set.of("--date=iso", "--oneline", "-n"), pattern.options());
        assertTrue(pattern.fixed().contains("\"kept\":[\"--stat\"]"), pattern.fixed());
    }

    @Test
    void optionsAreTheSameInEverySpelling() {
        CallPattern apart =
                pattern(
                        RUN,
                        "{\"command\":\"sort\",\"args\":[\"-r\",\"-n\",\"-k\",\"2\",\"a.txt\"]}");
        CallPattern together =
                pattern(RUN, "{\"command\":\"sort\",\"args\":[\"-rnk2\",\"b.txt\"]}");
        assertEquals(Set.of("-r", "-n", "-k=2"), apart.options());
        assertEquals(apart, together);
    }

    @Test
    void reasonsSayWhyACallIsAllowedOnceOnly() {
        String[][] calls = {
            {"it is a shell", "{\"command\":\"sh\",\"args\":[\"-c\",\"id\"]}"},
            {
                "this form of the command is not known",
                "{\"command\":\"tar\",\"args\":[\"-cf\",\"a\"]}"
            },
            {"could name any other file", "{\"command\":\"rm\",\"args\":[\"-r\",\"src\"]}"},
            {"with @", "{\"command\":\"mytool\",\"args\":[\"@a.txt\"]}"},
            {"or can start other programs", "{\"command\":\"make\"}"},
            {
                "is not known and may start other programs",
                "{\"command\":\"git\",\"args\":[\"push\"]}"
            },
        };
        for (String[] call : calls) {
            CallDescription told = described(RUN, call[1]);
            assertTrue(told.onceOnly().contains(call[0]), call[1] + " " + told.onceOnly());
            assertTrue(told.pattern().isEmpty());
        }
    }

    @Test
    void commandsWithoutARowAreAllowedOnceOnlyAndMarked() {
        for (String[] call :
                new String[][] {
                    {"gprofng", "collect", "app", "./x.sh"},
                    {"gp-collect-app", "./x.sh"},
                    {"nm", "--plugin", "x.so", "a.txt"},
                    {"ssh-keygen", "-D", "x.so"},
                    {"openssl", "version", "-config", "a.txt"},
                    {"scalar", "list"},
                    {"gio", "launch", "a.desktop"},
                    {"rpcgen", "-Y", "src", "a.txt"},
                    {"ld.bfd", "--plugin", "x.so"},
                    {"git", "fetch", "--upload-pa=x"},
                    {"ls", "--what-is-this"}
                }) {
            StringBuilder args = new StringBuilder();
            for (int i = 1; i < call.length; i++) {
                args.append(i == 1 ? "" : ",").append('"').append(call[i]).append('"');
            }
            String input = "{\"command\":\"" + call[0] + "\",\"args\":[" + args + "]}";
            ToolExamination.Facts facts = examined(RUN, input);
            assertTrue(facts.facts().flags().contains("!unknown"), input);
            assertFalse(facts.description().onceOnly().isEmpty(), input);
        }
        String once = "{\"command\":\"rm\",\"args\":[\"-r\",\"src\"]}";
        assertFalse(examined(RUN, once).facts().flags().contains("!unknown"));
        String known = "{\"command\":\"ls\",\"args\":[\"-l\"]}";
        assertFalse(examined(RUN, known).facts().flags().contains("!unknown"));
        assertEquals("", described(RUN, known).onceOnly());
    }

    @Test
    void gitThatIsSentElsewhereIsMarked() {
        for (String option : new String[] {"-C\",\"src", "--git-dir=src", "--namespace=x"}) {
            String input = "{\"command\":\"git\",\"args\":[\"" + option + "\",\"status\"]}";
            assertTrue(examined(RUN, input).facts().flags().contains("!runs-programs"), input);
        }
        String plain = "{\"command\":\"git\",\"args\":[\"--no-pager\",\"status\"]}";
        assertFalse(examined(RUN, plain).facts().flags().contains("!runs-programs"));
    }

    /** git goes past it: to a bare repository beside it, or to one above. */
    @Test
    void repositoryThatGitDoesNotTakeForOneDoesNotHideAnother() throws IOException {
        Path bare = Files.createDirectories(stage.workspace.resolve("d2"));
        Files.createDirectory(bare.resolve(".git"));
        assertFalse(marked("d2"), "an empty folder, of a sandbox, hides nothing");
        Files.createDirectory(bare.resolve("objects"));
        Files.createDirectory(bare.resolve("refs"));
        Files.writeString(bare.resolve("HEAD"), "ref: refs/heads/main\n");
        assertTrue(marked("d2"), "a bare repository beside an empty .git");
        Path above = Files.createDirectories(stage.workspace.resolve("d3/sub/.git"));
        Files.createDirectories(stage.workspace.resolve("d3/.git/objects"));
        assertTrue(marked("d3/sub"), "an incomplete repository above an empty .git");
        Files.writeString(above.resolve("HEAD"), "ref: refs/heads/main\n");
        assertTrue(marked("d3/sub"), "a .git that is neither whole nor empty");
        Path split = Files.createDirectories(stage.workspace.resolve("d4"));
        Files.writeString(split.resolve("HEAD"), "ref: refs/heads/main\n");
        Files.writeString(split.resolve("commondir"), "x\n");
        assertTrue(marked("d4"), "a bare repository whose objects are elsewhere");
        Files.writeString(stage.workspace.resolve(".git/HEAD"), "nothing\n");
        assertTrue(marked("docs"), "a head that git does not read");
    }

    private boolean marked(String folder) {
        String input = "{\"command\":\"git\",\"args\":[\"status\"],\"cwd\":\"" + folder + "\"}";
        return examined(RUN, input).facts().flags().contains("!runs-programs");
    }

    @Test
    void aCommonFolderThatIsTheRepositoryItselfDoesNoHarm() throws IOException {
        String input = "{\"command\":\"git\",\"args\":[\"status\"]}";
        Files.writeString(stage.workspace.resolve(".git/commondir"), ".\n");
        assertFalse(examined(RUN, input).facts().flags().contains("!runs-programs"));
        Files.writeString(stage.workspace.resolve(".git/commondir"), "..\n");
        assertTrue(examined(RUN, input).facts().flags().contains("!runs-programs"));
    }

    @Test
    void programsOfOthersAreAllowedOnceOnly() throws IOException {
        ProgramTrust root = ProgramTrust.ROOT;
        assertTrue(root.trusts(Path.of("/usr/bin/id").toRealPath().toString()));
        assertFalse(root.trusts("/no/such/program"));
        Path own = Files.writeString(temp.resolve("own"), "x");
        long owner = Integer.toUnsignedLong((Integer) Files.getAttribute(own, "unix:uid"));
        assertTrue(new ProgramTrust(Set.of(owner)).trusts(own.toString()));
        assertFalse(new ProgramTrust(Set.of(owner + 1)).trusts(own.toString()));
        Files.setAttribute(own, "unix:mode", 0775);
        assertFalse(new ProgramTrust(Set.of(owner)).trusts(own.toString()));
    }

    @Test
    void repositoryThatRunsProgramsIsAFactOfTheCall() throws IOException {
        String input = "{\"command\":\"git\",\"args\":[\"status\"]}";
        assertFalse(examined(RUN, input).facts().flags().contains("!runs-programs"));
        Files.writeString(stage.workspace.resolve(".git/hooks/post-index-change"), "x");
        assertTrue(examined(RUN, input).facts().flags().contains("!runs-programs"));
        assertFalse(described(RUN, input).onceOnly().isEmpty());
    }

    @Test
    void indexThatIsNotUnderstoodIsNotFlat() throws IOException {
        Path git = Files.createDirectories(temp.resolve("repository"));
        assertTrue(GitIndex.isFlat(git));
        byte[] good = ShapeStage.index(0100644);
        Files.write(git.resolve("index"), good);
        assertTrue(GitIndex.isFlat(git));
        Files.write(git.resolve("index"), ShapeStage.index(0160000));
        assertFalse(GitIndex.isFlat(git));
        for (int cut : new int[] {0, 3, 11, 40, 75}) {
            Files.write(git.resolve("index"), java.util.Arrays.copyOf(good, cut));
            assertFalse(GitIndex.isFlat(git), "cut at " + cut);
        }
        byte[] version4 = good.clone();
        version4[7] = 4;
        Files.write(git.resolve("index"), version4);
        assertFalse(GitIndex.isFlat(git));
    }

    @Test
    void fetchFixesTheOriginAndTheSecretsByName() {
        String input =
                "{\"url\":\"https://Api.example/a?b\",\"secret_headers\":"
                        + "{\"Authorization\":\"vault:global/token\"}}";
        CallDescription told = described("palyra.http.fetch", input);
        assertEquals(
                "Sends GET https://api.example/a?b with the secrets vault:global/token.",
                told.summary().replace("\"", ""));
        assertEquals(
                "Sends GET requests to https://api.example:443 with any path and query, with no"
                        + " header and the secrets vault:global/token; the path and query of each request are sent there.",
                told.pattern().orElseThrow().sentence());
        assertEquals(Set.of("api.example:443"), told.pattern().get().hosts());
    }

    @Test
    void fileToolsSayWhatTheyTouch() {
        assertEquals(
                "Reads any file of the workspace " + stage.workspace + ".",
                pattern("palyra.fs.read_file", "{\"path\":\"a.txt\"}").sentence());
        CallDescription patch =
                described(
                        "palyra.fs.apply_patch",
                        "{\"patch\":\"--- a.txt\\n+++ a.txt\\n@@ -1 +1 @@\\n-x\\n+y\\n\"}");
        assertEquals("Writes " + stage.workspace + "/a.txt.", patch.summary());
        assertTrue(patch.pattern().isEmpty());
        assertEquals("", patch.onceOnly());
    }
}
