package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.examine;
import static palyra.sandbox.internal.files.FilesFixture.facts;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.input;
import static palyra.sandbox.internal.files.FilesFixture.order;
import static palyra.sandbox.internal.files.FilesFixture.refused;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.tools.ToolExamination;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.shared.tool.FactsDigest;

class WriteFileToolTest {
    @TempDir Path temp;
    private FilesFixture fixture;
    private WriteFileTool tool;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        tool = new WriteFileTool(() -> fixture.workspaces, fixture.changes());
    }

    private JsonNode write(String path, String content) throws Exception {
        JsonNode output = succeeded(tool, "path", path, "content", content);
        assertTrue(
                fixture.snapshot().keySet().stream().noneMatch(p -> p.contains(".palyra-patch")),
                "nothing is left behind");
        return output;
    }

    /** Fails, and changes nothing. */
    private String rejected(String path) throws Exception {
        Map<String, String> before = fixture.snapshot();
        String error = failed(tool, "path", path, "content", "evil\n");
        assertEquals(before, fixture.snapshot());
        return error;
    }

    @Test
    void createsAFileWithItsFolders() throws Exception {
        JsonNode output = write("a/b/c.txt", "é\nno end");
        assertEquals("created", output.path("change").asText());
        assertEquals(9, output.path("size_bytes").asInt());
        assertFalse(output.has("diff"), "all of it was in the call");
        assertEquals("é\nno end", Files.readString(fixture.workspace.resolve("a/b/c.txt")));
        assertEquals("created", write("empty", "").path("change").asText());
    }

    @Test
    void replacesAFileKeepsItsModeAndShowsTheDiff() throws Exception {
        Path file = fixture.file("f", "one\ntwo\nthree\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        JsonNode output = write("f", "one\nzwei\nthree\n");
        assertEquals("replaced", output.path("change").asText());
        assertEquals(
                "--- f\n+++ f\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n",
                output.path("diff").asText());
        assertEquals(1, output.path("lines_added").asInt());
        assertEquals(1, output.path("lines_removed").asInt());
        assertEquals(
                "rwxr-x--x", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals("unchanged", write("f", "one\nzwei\nthree\n").path("change").asText());
    }

    @Test
    void theDiffIsBoundedAndSaysSo() throws Exception {
        fixture.file("f", "a\n".repeat(5_000));
        String diff = write("f", "b\n".repeat(5_000)).path("diff").asText();
        assertTrue(diff.length() < 12_200, diff.length() + " characters");
        assertTrue(diff.endsWith(" more lines of it are not shown]\n"), diff.substring(11_900));
        fixture.file("binary", new byte[] {1, 0, 2});
        assertFalse(write("binary", "text").has("diff"));
    }

    @Test
    void refusesProtectedPathsInAnyCaseAndThroughLinks() throws Exception {
        Files.createDirectories(fixture.workspace.resolve(".git/hooks"));
        Files.createSymbolicLink(fixture.workspace.resolve("hooks"), Path.of(".git/hooks"));
        Files.createSymbolicLink(fixture.workspace.resolve("rc"), Path.of(".bashrc"));
        Files.createSymbolicLink(fixture.workspace.resolve("up"), Path.of("sub/../.git"));
        Files.createDirectories(fixture.workspace.resolve("sub"));
        for (String path :
                List.of(
                        ".git/hooks/pre-commit",
                        ".GIT/Hooks/pre-commit",
                        "sub/.git/config",
                        "./sub/../.git/hooks/x",
                        ".bashrc",
                        ".BashRC",
                        "hooks/pre-commit",
                        "rc",
                        "up/hooks/pre-push",
                        "\\x2egit/hooks/x",
                        ".palyra-patch-1/plan.json")) {
            refused("sandbox.path_protected", tool, "path", path, "content", "x");
            assertTrue(rejected(path).contains("protected"), path);
        }
        write("git/hooks/pre-commit", "the positive control");
        for (String path : List.of(".git/hooks/x", "sub/.git/config")) {
            assertTrue(rejected(path).contains("Use git by a command"), path);
            assertTrue(rejected(path).contains("in protected_paths of the command"), path);
        }
        assertTrue(rejected(".gitmodules").contains("by a command, which is not kept from it"));
    }

    /** Git takes a folder for a repository by its content, whatever its name. */
    @Test
    void changesNoRepositoryUnderWhateverNameAndMakesNone() throws Exception {
        for (String name : List.of("objects", "refs", "hooks")) {
            Files.createDirectories(fixture.workspace.resolve("deep/srv.git/" + name));
        }
        fixture.file("deep/srv.git/HEAD", "ref: refs/heads/main\n");
        for (String path :
                List.of("config", "hooks/pre-receive", "a/b/new", "HEAD", "info/attributes")) {
            String error = rejected("deep/srv.git/" + path);
            assertTrue(error.contains("Use git through a command"), error);
        }
        write("deep/other/hooks/pre-receive", "the positive control");
        write("evil/config", "[core]\n");
        write("evil/objects/x", "");
        assertTrue(rejected("evil/HEAD").contains("'evil' has two of HEAD"));
        assertTrue(rejected("evil/refs/x").contains("'evil' has two of HEAD"));
        assertTrue(rejected("evil/commondir").contains("Use git"));
    }

    @Test
    void refusesWhatLeadsOutside() throws Exception {
        Files.createSymbolicLink(fixture.workspace.resolve("out"), fixture.outside);
        Files.createSymbolicLink(
                fixture.workspace.resolve("secret"), fixture.outside.resolve("secret"));
        Files.createSymbolicLink(fixture.workspace.resolve("dot"), Path.of("../../outside/new"));
        Files.createSymbolicLink(fixture.workspace.resolve("loop"), Path.of("loop"));
        for (String path : List.of("out/new", "secret", "dot", "loop")) {
            refused("sandbox.path_link", tool, "path", path, "content", "x");
            String error = rejected(path);
            assertTrue(error.contains("symbolic link"), error);
            assertFalse(error.contains(fixture.outside.toString()), error);
        }
        assertTrue(rejected("loop").contains("as one does that leads to itself"));
        assertTrue(rejected("~/x").contains("~ is not expanded here"), "a home folder");
        write("./~/x", "a folder of that name");
        for (String path :
                List.of("~", "~/x", "../x", "/etc/passwd", "a/../../x", "\\x2e\\x2e/x")) {
            refused("sandbox.path_outside", tool, "path", path, "content", "x");
        }
        try (var entries = Files.list(fixture.outside)) {
            assertEquals(1, entries.count());
        }
    }

    @Test
    void writesThroughALinkWithinTheWorkspaceAndSaysWhere() throws Exception {
        fixture.file("releases/1/app", "old\n");
        Files.createSymbolicLink(fixture.workspace.resolve("current"), Path.of("releases/1"));
        Files.createSymbolicLink(
                fixture.workspace.resolve("abs"), fixture.workspace.resolve("releases/1/app"));
        assertEquals("releases/1/app", write("current/app", "new\n").path("link_to").asText());
        assertEquals("new\n", fixture.text("releases/1/app"));
        write("abs", "newer\n");
        assertEquals("newer\n", fixture.text("releases/1/app"));
        assertTrue(Files.isSymbolicLink(fixture.workspace.resolve("abs")), "the link stays");
        String root = fixture.workspace.toString();
        assertEquals(
                Set.of(root + "/current/app", root + "/releases/1/app"),
                facts(tool, "path", "current/app", "content", "x").writePaths());
    }

    @Test
    void aLinkThatIsExchangedAfterTheDecisionIsNotFollowed() throws Exception {
        fixture.file("one/f", "1\n");
        fixture.file("two/f", "2\n");
        Path link = fixture.workspace.resolve("l");
        Files.createSymbolicLink(link, Path.of("one"));
        String decided = FactsDigest.of(facts(tool, "path", "l/f", "content", "x\n"));
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("two"));
        var result = tool.run(order(tool, input("path", "l/f", "content", "x\n"), decided));
        assertEquals(Outcome.FAILED, result.outcome());
        assertTrue(result.result().error().contains("no longer do what was decided"));
        assertEquals("1\n", fixture.text("one/f"));
        assertEquals("2\n", fixture.text("two/f"));
    }

    @Test
    void refusesHardLinksPipesFoldersAndHugeFiles() throws Exception {
        Files.createLink(fixture.workspace.resolve("hard"), fixture.outside.resolve("secret"));
        assertTrue(rejected("hard").contains("hard links"));
        Path pipe = fixture.workspace.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        String error = failed(tool, "path", "pipe", "content", "x");
        assertTrue(error.contains("not a regular file"), error);
        Files.delete(pipe);
        Files.createDirectories(fixture.workspace.resolve("folder"));
        assertTrue(rejected("folder").contains("folder"));
        fixture.file("file", "x");
        assertTrue(rejected("file/below").contains("folder"));
        fixture.file("huge", new byte[FileState.MAX_BYTES + 1]);
        assertTrue(rejected("huge").contains("larger than"));
        refused("tool.input_invalid", tool, "path", ".", "content", "x");
        refused("tool.input_invalid", tool, "path", "f", "content", 1);
        refused("tool.input_invalid", tool, "path", "f");
    }

    @Test
    void deepFoldersAreMadeOrRefusedAsAWhole() throws Exception {
        write("d/".repeat(40) + "f", "x");
        Map<String, String> before = fixture.snapshot();
        refused("tool.input_invalid", tool, "path", "e/".repeat(2_040) + "f", "content", "x");
        String longName = "n".repeat(203) + "/";
        refused("tool.input_invalid", tool, "path", longName.repeat(20) + "f", "content", "x");
        failed(tool, "path", "n".repeat(256), "content", "x");
        assertEquals(before, fixture.snapshot());
    }

    @Test
    void writesOddNamesAsTheyAreShown() throws Exception {
        write("a\\nb\\\\c", "x");
        assertEquals("x", fixture.text("a\nb\\c"));
        JsonNode bytes = write("bad\\xFFname", "x");
        assertEquals("bad\\xFFname", bytes.path("path").asText());
        JsonNode list = succeeded(new ListDirTool(() -> fixture.workspaces));
        assertEquals("a\\nb\\\\c", list.at("/entries/0/path").asText());
        assertEquals("bad\\xFFname", list.at("/entries/1/path").asText());
        ReadFileTool read = new ReadFileTool(() -> fixture.workspaces);
        assertEquals("x", succeeded(read, "path", "bad\\xffname").path("content").asText());
        assertEquals("x", succeeded(read, "path", "a\\nb\\\\c").path("content").asText());
        write("\\xC3\\xA9", "one name");
        assertEquals("one name", fixture.text("é"));
    }

    @Test
    void isDecidedAndApprovedAsAPatchIs() throws Exception {
        ToolExamination.Facts found =
                (ToolExamination.Facts) examine(tool, "path", "f", "content", "x", "odd", 1);
        assertEquals(Set.of(), found.facts().readPaths());
        assertEquals(Set.of(fixture.workspace + "/f"), found.facts().writePaths());
        assertTrue(found.description().pattern().isEmpty(), "no pattern covers another content");
        assertEquals(
                fixture.patchTool().descriptor().capabilities(), tool.descriptor().capabilities());
        assertFalse(tool.descriptor().readOnly() || tool.descriptor().idempotent());
        assertTrue(
                succeeded(tool, "file_path", "f", "contents", "x", "odd", 1)
                        .path("note")
                        .asText()
                        .contains("'odd'"));
        assertEquals("x", Files.readString(fixture.workspace.resolve("f"), StandardCharsets.UTF_8));
    }
}
