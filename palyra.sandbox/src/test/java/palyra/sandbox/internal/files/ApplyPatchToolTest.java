package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.facts;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.refused;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.tool.Capability;

class ApplyPatchToolTest {
    @TempDir Path temp;
    private FilesFixture fixture;
    private ApplyPatchTool tool;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        tool = fixture.patchTool();
    }

    private JsonNode apply(String patch) throws Exception {
        JsonNode output = succeeded(tool, "patch", patch);
        assertTrue(
                fixture.snapshot().keySet().stream().noneMatch(p -> p.contains(".palyra-patch")),
                "nothing is left behind");
        return output;
    }

    /** Fails, names the reason, and changes nothing. */
    private void rejected(String reason, String patch) throws Exception {
        Map<String, String> before = fixture.snapshot();
        String error = failed(tool, "patch", patch);
        assertTrue(error.contains(reason), error);
        assertEquals(before, fixture.snapshot());
    }

    private static String change(String file, String hunk) {
        return "--- a/" + file + "\n+++ b/" + file + "\n" + hunk;
    }

    @Test
    void changesMakesDeletesAndRenamesInOneGo() throws Exception {
        fixture.file("src/a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        fixture.file("gone", "x\ny\n");
        fixture.file("old name", "same\nline\n");
        JsonNode output =
                apply(
                        """
                        Some words for people.
                        diff --git a/src/a b/src/a
                        index 123..456 100644
                        --- a/src/a
                        +++ b/src/a
                        @@ -1,3 +1,4 @@ a function
                         1
                        +one and a half
                         2
                         3
                        @@ -8,2 +9,1 @@
                        -8
                         9
                        diff --git a/new/deep/b b/new/deep/b
                        new file mode 100755
                        --- /dev/null
                        +++ b/new/deep/b
                        @@ -0,0 +1,2 @@
                        +#!/bin/sh
                        +echo é
                        diff --git a/gone b/gone
                        deleted file mode 100644
                        --- a/gone
                        +++ /dev/null
                        @@ -1,2 +0,0 @@
                        -x
                        -y
                        diff --git "a/old name" "b/r\\145named"
                        similarity index 50%
                        rename from old name
                        rename to "r\\145named"
                        """);
        assertEquals("1\none and a half\n2\n3\n4\n5\n6\n7\n9\n", fixture.text("src/a"));
        assertEquals(
                "#!/bin/sh\necho é\n", Files.readString(fixture.workspace.resolve("new/deep/b")));
        assertTrue(Files.isExecutable(fixture.workspace.resolve("new/deep/b")));
        assertFalse(Files.exists(fixture.workspace.resolve("gone")));
        assertFalse(Files.exists(fixture.workspace.resolve("old name")));
        assertEquals("same\nline\n", fixture.text("renamed"));
        assertEquals(5, output.path("files").size(), output.toString());
    }

    @Test
    void keepsCrLfMissingNewlinesBytesAndModes() throws Exception {
        Path file =
                fixture.file(
                        "f", "a\r\nb\r\nc".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        apply(change("f", "@@ -1,2 +1,3 @@\n a\n+new\n-b\n+B\n"));
        assertEquals("a\r\nnew\r\nB\r\nc", fixture.text("f"));
        assertEquals(
                "rwxr-x--x", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        fixture.file("latin", new byte[] {(byte) 0xE9, '\n', 'x', '\n', 0, 1, '\n'});
        apply(change("latin", "@@ -2 +2 @@\n-x\n+y\n"));
        assertEquals("\u00e9\ny\n\0\1\n", fixture.text("latin"));
        fixture.file("g", "a\nb");
        String end = "\\ No newline at end of file\n";
        apply(change("g", "@@ -2 +2 @@\n-b\n" + end + "+c\n" + end));
        assertEquals("a\nc", fixture.text("g"));
        apply(change("g", "@@ -2 +2 @@\n-c\n" + end + "+c\n"));
        assertEquals("a\nc\n", fixture.text("g"));
        rejected("does not fit", change("f", "@@ -4 +4 @@\n-c\n+d\n"));
    }

    @Test
    void findsAMovedPlaceOnlyWhenThereIsOne() throws Exception {
        fixture.file("f", "x\nx\nx\nunique\ny\nx\ny\n");
        apply(change("f", "@@ -1,2 +1,2 @@\n unique\n-y\n+Y\n"));
        assertEquals("x\nx\nx\nunique\nY\nx\ny\n", fixture.text("f"));
        rejected("more than one place", change("f", "@@ -5 +5 @@\n-x\n+z\n"));
        apply(change("f", "@@ -2 +2 @@\n-x\n+second\n"));
        assertEquals("x\nsecond\nx\nunique\nY\nx\ny\n", fixture.text("f"));
        rejected("does not fit", change("f", "@@ -1,2 +1 @@\n x\n-Second\n"));
    }

    /** What is beyond the lines that are compared is not said to be absent. */
    @Test
    void saysHowManyLinesOfALongFileWereCompared() throws Exception {
        int most = NearMiss.MAX_LINES;
        String filler = "a\n".repeat(most - 1);
        fixture.file("f", filler + "begin\nmiddle\nend\n");
        String cut = "; only the first " + most + " of the " + (most + 2) + " lines";
        rejected(cut, change("f", "@@ -1,2 +1 @@\n middle\n-other\n"));
        rejected("is like no line that was", change("f", "@@ -1,2 +1 @@\n middle\n-other\n"));
        rejected(
                "\"other\", would be at line " + (most + 1) + ", which was not compared" + cut,
                change("f", "@@ -1,2 +1 @@\n begin\n-other\n"));
        fixture.file("f", filler + "begin\n");
        assertFalse(
                failed(tool, "patch", change("f", "@@ -1,2 +1 @@\n begin\n-other\n"))
                        .contains("only the first"));
    }

    @Test
    void checksEverythingBeforeItChangesAnything() throws Exception {
        fixture.file("a", "1\n");
        fixture.file("b", "1\n");
        String good = change("a", "@@ -1 +1 @@\n-1\n+2\n");
        rejected("does not fit", good + change("b", "@@ -1 +1 @@\n-7\n+8\n"));
        rejected("which does not exist", good + change("c", "@@ -1 +1 @@\n-7\n+8\n"));
        rejected("is there already", good + "--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+x\n");
        rejected("not be empty", good + "--- a/b\n+++ /dev/null\n@@ -0,0 +0,0 @@\n");
        rejected("named twice", good + good);
        rejected(
                "is there already",
                good + "diff --git a/b b/a\nrename from b\nrename to a\nsimilarity index 100%\n");
    }

    @Test
    void refusesWhatIsNoPatch() throws Exception {
        for (String patch :
                List.of(
                        "hello",
                        "@@ -1 +1 @@\n-a\n+b\n",
                        "--- a/f\n+++ b/f\n@@ nonsense\n",
                        "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n a\n",
                        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n*a\n",
                        "--- /dev/null\n+++ /dev/null\n",
                        "diff --git a/f b/f\nGIT binary patch\nliteral 3\n",
                        "diff --git a/f b/f\nold mode 100644\nnew mode 120000\n",
                        "diff --git a/f b/g\ncopy from f\ncopy to g\n")) {
            refused("sandbox.patch_refused", tool, "patch", patch);
        }
        refused("tool.input_invalid", tool, "patch", "");
        refused("tool.input_invalid", tool);
    }

    @Test
    void refusesPathsOutsideAndProtectedOnes() throws Exception {
        for (String path : List.of("../x", "/etc/cron.d/x", "a/../../x")) {
            refused(
                    "sandbox.path_outside",
                    tool,
                    "patch",
                    "--- /dev/null\n+++ " + path + "\n@@ -0,0 +1 @@\n+x\n");
        }
        for (String path :
                List.of(
                        ".git/hooks/pre-commit",
                        ".git/config",
                        ".git",
                        "sub/.git/hooks/x",
                        ".GIT/config",
                        ".vscode/tasks.json",
                        ".idea/x",
                        ".mcp.json",
                        ".bashrc",
                        "home/.zshrc",
                        ".profile",
                        ".config/fish/config.fish",
                        "x/../.git/config",
                        ".palyra-patch-1/plan.json")) {
            refused(
                    "sandbox.path_protected",
                    tool,
                    "patch",
                    "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+x\n");
            refused(
                    "sandbox.path_protected",
                    tool,
                    "patch",
                    "diff --git a/f b/f\nrename from f\nrename to " + path + "\n");
            assertFalse(Files.exists(fixture.workspace.resolve(path)));
        }
        assertFalse(Files.exists(fixture.base.resolve("x")));
    }

    /** The files of one patch count together. */
    @Test
    void makesNoRepositoryOfGit() throws Exception {
        StringBuilder patch = new StringBuilder();
        for (String name : List.of("config", "HEAD", "objects/x", "refs/x")) {
            patch.append("--- /dev/null\n+++ b/evil/").append(name).append("\n@@ -0,0 +1 @@\n+x\n");
        }
        String error = failed(tool, "patch", patch.toString());
        assertTrue(error.contains("Use git through a command"), error);
        assertFalse(Files.exists(fixture.workspace.resolve("evil")));
        apply(patch.toString().replace("refs/x", "ref/x").replace("objects/x", "object/x"));
        assertEquals("x\n", fixture.text("evil/HEAD"));
    }

    @Test
    void writesThroughNoLink() throws Exception {
        Path secret = fixture.outside.resolve("secret");
        Files.createSymbolicLink(fixture.workspace.resolve("link"), secret);
        Files.createSymbolicLink(fixture.workspace.resolve("dir"), fixture.outside);
        Files.createLink(fixture.workspace.resolve("hard"), secret);
        String hunk = "@@ -1 +1 @@\n-HOSTSECRET\n+changed\n";
        rejected("symbolic link", change("link", hunk));
        rejected("symbolic link", change("dir/secret", hunk));
        rejected("several names", change("hard", hunk));
        rejected("symbolic link", "--- /dev/null\n+++ b/dir/new\n@@ -0,0 +1 @@\n+x\n");
        rejected("is there already", "--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+x\n");
        assertEquals("HOSTSECRET\n", Files.readString(secret));
        assertFalse(Files.exists(fixture.outside.resolve("new")));
        Files.delete(fixture.workspace.resolve("hard"));
        fixture.file("hard", "HOSTSECRET\n");
        apply(change("hard", hunk));
    }

    @Test
    void saysWhatItReadsAndWrites() throws Exception {
        var facts =
                facts(
                        tool,
                        "patch",
                        change("a", "@@ -1 +1 @@\n-1\n+2\n")
                                + "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
                                + "diff --git a/b b/c\nrename from b\nrename to c\n");
        String root = fixture.workspace + "/";
        assertEquals(Set.of(root + "a", root + "b"), facts.readPaths());
        assertEquals(Set.of(root + "a", root + "n", root + "b", root + "c"), facts.writePaths());
        assertEquals(
                Set.of(Capability.FILESYSTEM_READ, Capability.FILESYSTEM_WRITE),
                tool.descriptor().capabilities());
        assertFalse(tool.descriptor().idempotent());
        assertFalse(tool.descriptor().readOnly());
    }

    @Test
    void changesTheModeAlone() throws Exception {
        fixture.file("f", "x\n");
        apply("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n" + change("f", ""));
        assertTrue(Files.isExecutable(fixture.workspace.resolve("f")));
    }

    /** A patch that would have been taken for done without any of these lines. */
    @Test
    void takesHunksWithoutNumbersWhereTheyFitOnce() throws Exception {
        fixture.file("f", "a\nb\nc\na\n");
        apply(change("f", "@@\n-b\n+B\n c\n"));
        assertEquals("a\nB\nc\na\n", fixture.text("f"));
        apply(change("f", "@@ ... @@\n-c\n+C\n"));
        assertEquals("a\nB\nC\na\n", fixture.text("f"));
        rejected("more than one place", change("f", "@@\n-a\n+A\n"));
        rejected("names no place", change("f", "@@\n+new\n"));
        rejected("changes nothing", change("f", "@@\n a\n"));
        rejected("no hunk for 'f'", change("f", ""));
        rejected("no hunk for 'f'", change("f", "just a remark\n"));
    }

    @Test
    void correctsCountsThatDoNotAgreeWithTheLines() throws Exception {
        fixture.file("f", "a\nb\nc\nd\ne\n");
        apply(change("f", "@@ -1,1 +1,1 @@\n a\n-b\n+B\n c\n"));
        assertEquals("a\nB\nc\nd\ne\n", fixture.text("f"));
        rejected("cut off", change("f", "@@ -1,9 +1,9 @@\n a\n-B\n+b\n") + change("f2", ""));
        apply(change("f", "@@ -1,9 +1,9 @@\n a\n-B\n+b\n\n\n") + "-- \n2.39.5\n");
        assertEquals("a\nb\nc\nd\ne\n", fixture.text("f"));
        apply(change("f", "@@ -1,2 +1,2 @@\n-a\n+A\n@@ -4,1 +4,1 @@\n-d\n+D\n+D2\n"));
        assertEquals("A\nb\nc\nD\nD2\ne\n", fixture.text("f"));
    }

    @Test
    void refusesPatchThatEndsBeforeItsCounts() throws Exception {
        fixture.file("f", "a\nb\nc\n");
        String cut = change("f", "@@ -1,3 +1,4 @@\n a\n-b\n+B\n");
        rejected("ends after line 6", cut);
        rejected("3 old and 4 new lines and has 2 and 2", cut + "\n");
        rejected("cut off", "--- /dev/null\n+++ b/n\n@@ -0,0 +1,3 @@\n+1\n+2\n");
        rejected("cut off", change("f", "@@ -1 +1 @@\n-a\n+A\n@@ -2,2 +2,2 @@\n-b\n+B\n"));
        assertEquals("a\nb\nc\n", fixture.text("f"));
        assertFalse(Files.exists(fixture.workspace.resolve("n")));
    }

    @Test
    void skipsNothingThatCouldBeAChange() throws Exception {
        fixture.file("f", "a\nb\n");
        String hunk = "@@ -1 +1 @@\n-a\n+A\n";
        rejected("Line 7 of the patch", change("f", hunk) + "some words\n-b\n");
        rejected("begins with neither", change("f", "@@ -1,3 +1,3 @@\n-a\n+A\nodd\n"));
        apply(change("f", hunk) + "-- \n2.39.5\n\n");
        assertEquals("A\nb\n", fixture.text("f"));
    }

    @Test
    void takesTheEnvelopeThatOtherModelsWrite() throws Exception {
        fixture.file(
                "src/a.py",
                "class A:\n    def f():\n        pass\nclass B:\n    def f():\n        pass");
        fixture.file("gone", "x\ny\n");
        fixture.file("old", "1\n2\n");
        JsonNode output =
                apply(
                        """
                        *** Begin Patch
                        *** Update File: src/a.py
                        @@ class B:
                        @@     def f():
                        -        pass
                        +        return 1
                        *** Add File: new/é.txt
                        +first
                        +
                        +last
                        *** Delete File: gone
                        *** Update File: old
                        *** Move to: moved
                        @@
                         1
                        -2
                        +two
                        *** End of File
                        *** End Patch
                        """);
        assertEquals(
                "class A:\n    def f():\n        pass\nclass B:\n    def f():\n        return 1\n",
                fixture.text("src/a.py"));
        assertEquals("first\n\nlast\n", Files.readString(fixture.workspace.resolve("new/é.txt")));
        assertFalse(Files.exists(fixture.workspace.resolve("gone")));
        assertFalse(Files.exists(fixture.workspace.resolve("old")));
        assertEquals("1\ntwo\n", fixture.text("moved"));
        assertEquals(5, output.path("files").size(), output.toString());
    }

    private static String envelope(String hunk) {
        return "*** Begin Patch\n*** Update File: f\n" + hunk + "*** End Patch\n";
    }

    @Test
    void aHunkMayBeginWithTheLineThatItComesAfter() throws Exception {
        fixture.file("f", "def f():\n    a\n    b\ndef g():\n    a\n");
        apply(envelope("@@ def f():\n def f():\n-    a\n+    A\n"));
        assertEquals("def f():\n    A\n    b\ndef g():\n    a\n", fixture.text("f"));
        apply(envelope("@@ def g():\n-    a\n+    c\n"));
        rejected(
                "begin at line 1 of the file, before or at the line \"A\" named after @@; name an"
                        + " earlier line or leave it out",
                envelope("@@     A\n def f():\n     A\n-    b\n"));
        fixture.file("f", "x\n1\nx\n1\n");
        rejected(
                "fits at line 1, which is the one named after @@, and at line 3",
                envelope("@@ x\n x\n-1\n+2\n"));
        rejected("line breaks", envelope("@@ x\n-1\r\n+2\n"));
        apply(envelope("@@ 1\n x\n-1\n+2\n"));
        assertEquals("x\n1\nx\n2\n", fixture.text("f"));
    }

    @Test
    void refusesEnvelopesThatSayTooLittleOrTooMuch() throws Exception {
        fixture.file("f", "a\nb\na\n");
        String update = "*** Begin Patch\n*** Update File: f\n";
        rejected("was cut off", update + "@@\n-b\n+B\n");
        rejected("comes where changes", update + "*** End Patch\n");
        rejected("more than one place", update + "@@\n-a\n+A\n*** End Patch\n");
        rejected("not in the rest of the file", update + "@@ def g\n-a\n+A\n*** End Patch\n");
        rejected("does not fit", update + "@@\n-b\n+B\n*** End of File\n*** End Patch\n");
        rejected("begins with neither", update + "@@\nodd\n*** End Patch\n");
        rejected("begins no file", "*** Begin Patch\n-a\n+b\n*** End Patch\n");
        rejected("has no file", "*** Begin Patch\n*** End Patch\n");
        rejected("comes after", update + "@@\n-b\n+B\n*** End Patch\n*** Delete File: f\n");
        rejected("does not begin with '+'", "*** Begin Patch\n*** Add File: n\nx\n*** End Patch\n");
        refused(
                "sandbox.path_protected",
                tool,
                "patch",
                "*** Begin Patch\n*** Add File: .git/hooks/x\n+x\n*** End Patch\n");
        apply(update + "@@\n-a\n+A\n*** End of File\n*** End Patch\n");
        assertEquals("a\nb\nA\n", fixture.text("f"));
    }

    @Test
    void readsNamesInQuotesAsCWritesThem() throws Exception {
        String patch = "--- /dev/null\n+++ \"b/n\\303\\251w \\\"\\t\\\\x\"\n@@ -0,0 +1 @@\n+x\n";
        assertEquals("néw \"\t\\x", PatchText.read(patch).get(0).to().orElseThrow());
        String plain = "--- /dev/null\n+++ b/néw\n@@ -0,0 +1 @@\n+x\n";
        assertEquals("néw", PatchText.read(plain).get(0).to().orElseThrow());
    }

    @Test
    void takesPathsWithoutPrefixesToo() throws Exception {
        fixture.file("a/x", "1\n");
        apply("--- a/x\t2026-01-01 00:00:00\n+++ a/x\t2026-01-02\n@@ -1 +1 @@\n-1\n+2\n");
        assertEquals("2\n", fixture.text("a/x"));
    }

    @Test
    void wrongCountsThatWereHealedAreToldWithTheDifference() throws Exception {
        fixture.file("f", "a\nb\nc\n");
        fixture.file("g", "1\n");
        JsonNode output =
                apply(
                        change("./f", "@@ -1,9 +1,9 @@\n a\n-b\n+B\n c\n")
                                + change("g", "@@ -1 +1 @@\n-1\n+2\n"));
        assertEquals(1, output.path("healed").size(), output.toString());
        String healed = output.path("healed").get(0).textValue();
        assertTrue(
                healed.startsWith(
                        "Line 3 of the patch, '@@ -1,9 +1,9 @@', promises 9 old and 9 new lines, and"
                                + " the hunk has 3 and 3"),
                healed);
        assertTrue(output.path("files").get(0).path("diff").asText().contains("-b\n+B\n"));
        assertFalse(output.path("files").get(1).has("diff"), output.toString());
        assertFalse(apply(change("g", "@@ -1 +1 @@\n-2\n+3\n")).has("healed"));
    }

    @Test
    void aHunkThatDoesNotFitNamesItsLineAndTheNearestOfTheFile() throws Exception {
        fixture.file("f", "one\ntwo\n    three\nfour\n");
        rejected(
                "line 6 of the patch, \"three\", does not agree with line 3 of the file,"
                        + " \"    three\", which differs in white space only",
                change("f", "@@ -1,3 +1,2 @@\n one\n two\n-three\n"));
        rejected(
                "line 4 of the patch, \"thre\", is not in the file; the nearest is line 3",
                change("f", "@@ -3 +3 @@\n-thre\n+3\n"));
        rejected("is like no line of the file", change("f", "@@ -3 +3 @@\n-zzzz\n+3\n"));
        rejected(
                "the file ends where line 5 of the patch, \"five\", should be",
                change("f", "@@ -4,2 +4 @@\n four\n-five\n"));
        rejected(
                "its lines are at line 1 of the file, before the place of the hunk before it",
                change("f", "@@ -4 +4 @@\n-four\n+4\n@@ -1 +1 @@\n-one\n+1\n"));
        rejected(
                "but not with the end of the file",
                change("f", "@@ -4 +4 @@\n-four\n\\ No newline at end of file\n+4\n"));
    }

    @Test
    void anEnvelopeMaySayThatAFileEndsWithoutALineBreak() throws Exception {
        fixture.file("f", "a\nb");
        apply(
                "*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n\\ No newline at end of file\n"
                        + "+B\n\\ No newline at end of file\n*** Add File: g\n+one\n"
                        + "\\ No newline at end of file\n*** End Patch\n");
        assertEquals("a\nB", fixture.text("f"));
        assertEquals("one", fixture.text("g"));
    }
}
