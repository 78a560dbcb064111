package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.examine;
import static palyra.sandbox.internal.files.FilesFixture.facts;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.refused;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.tools.ToolExamination;

class EditFileToolTest {
    @TempDir Path temp;
    private FilesFixture fixture;
    private EditFileTool tool;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        tool = new EditFileTool(() -> fixture.workspaces, fixture.changes());
    }

    private String rejected(Object... fields) throws Exception {
        Map<String, String> before = fixture.snapshot();
        String error = failed(tool, fields);
        assertEquals(before, fixture.snapshot());
        return error;
    }

    @Test
    void replacesWhatIsThereOnceAndShowsTheDiff() throws Exception {
        fixture.file("f", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
        JsonNode output = succeeded(tool, "path", "f", "old", "five\n", "new", "5\n5½\n");
        assertEquals(
                "one\ntwo\nthree\nfour\n5\n5½\nsix\nseven\n",
                Files.readString(fixture.workspace.resolve("f")));
        assertEquals("changed", output.path("change").asText());
        assertEquals(1, output.path("replaced").asInt());
        assertEquals("[5]", output.path("at_lines").toString());
        assertEquals(
                "--- f\n+++ f\n@@ -2,6 +2,7 @@\n two\n three\n four\n-five\n+5\n+5½\n six\n seven\n",
                output.path("diff").asText());
        succeeded(tool, "path", "f", "old", "six\n", "new", "");
        assertEquals(7, Files.readAllLines(fixture.workspace.resolve("f")).size());
    }

    @Test
    void replacesAllWhenThatIsSaid() throws Exception {
        fixture.file("f", "a b a\na\n");
        Object[] all = {"path", "f", "old", "a", "new", "c", "replace_all", true};
        assertEquals(3, succeeded(tool, all).path("replaced").asInt());
        assertEquals("c b c\nc\n", fixture.text("f"));
        assertTrue(rejected(all).contains("found 0 times"));
        fixture.file("f", "a a");
        String counted =
                rejected("path", "f", "old", "a", "new", "c", "replace_all", true, "count", 1);
        assertTrue(counted.contains("found 2 times"), counted);
    }

    @Test
    void replacesAllWhenTheirNumberIsSaid() throws Exception {
        fixture.file("f", "a b a\nb a\n");
        String error = rejected("path", "f", "old", "a", "new", "c");
        assertEquals(
                "'old' was found 3 times in 'f', where 'count' is 1: at lines 1, 1, 2; give more"
                        + " lines around the one to change, or send 'count' 3 to change all."
                        + " Nothing was changed.",
                error);
        assertTrue(rejected("path", "f", "old", "a", "new", "c", "count", 2).contains("3 times"));
        assertTrue(
                rejected("path", "f", "old", "b a\nb", "new", "c", "count", 2).contains("1 time"));
        assertEquals(
                3,
                succeeded(tool, "path", "f", "old", "a", "new", "aa", "count", "3")
                        .path("replaced")
                        .asInt());
        assertEquals("aa b aa\nb aa\n", fixture.text("f"));
    }

    @Test
    void placesThatShareCharactersAreNotGuessedAt() throws Exception {
        fixture.file("f", "aaa");
        assertTrue(rejected("path", "f", "old", "aa", "new", "b").contains("share characters"));
        assertTrue(rejected("path", "f", "old", "aa", "new", "b", "count", 2).contains("share"));
    }

    @Test
    void saysWhatIsNearestWhenNothingIsFound() throws Exception {
        fixture.file("f", "def start(self):\n\treturn self.run(1)\n\ndef stop(self):\n\tpass\n");
        assertEquals(
                "'old' was found 0 times in 'f'. The nearest line 2 is \"\\treturn self.run(1)\","
                        + " which differs in white space only; old has \"    return self.run(1)\"."
                        + " Nothing was changed.",
                rejected("path", "f", "old", "    return self.run(1)", "new", "x"));
        String second = rejected("path", "f", "old", "def stop(self):\n    pass\n", "new", "x");
        assertTrue(
                second.contains("Lines 4 to 4 agree with it, and then line 5 is \"\\tpass\""),
                second);
        assertTrue(second.contains("white space only"), second);
        String letters = rejected("path", "f", "old", "DEF STOP(self):", "new", "x");
        assertTrue(letters.contains("line 4") && letters.contains("case of letters"), letters);
        String like = rejected("path", "f", "old", "def stopp(self, now):", "new", "x");
        assertTrue(like.contains("The nearest line 4 is"), like);
        String none = rejected("path", "f", "old", "zzzzzzz", "new", "x");
        assertTrue(none.contains("No line is like its first one, \"zzzzzzz\""), none);
        String end = rejected("path", "f", "old", "\tpass\n# more", "new", "x");
        assertTrue(end.contains("the file ends"), end);
    }

    @Test
    void keepsLineEndsAndBytes() throws Exception {
        fixture.file("crlf", "a\r\nb\r\nc");
        succeeded(tool, "path", "crlf", "old", "a\nb", "new", "a\nx\nb");
        assertEquals("a\r\nx\r\nb\r\nc", fixture.text("crlf"));
        succeeded(tool, "path", "crlf", "old", "c", "new", "c\nd");
        assertEquals("a\r\nx\r\nb\r\nc\r\nd", fixture.text("crlf"));
        succeeded(tool, "path", "crlf", "old", "x\r\nb", "new", "y\r\nb");
        assertEquals("a\r\ny\r\nb\r\nc\r\nd", fixture.text("crlf"));
        fixture.file("mixed", "a\r\nb\nc\n");
        succeeded(tool, "path", "mixed", "old", "b\nc", "new", "b\nd");
        assertEquals("a\r\nb\nd\n", fixture.text("mixed"));
        fixture.file("latin", new byte[] {(byte) 0xE9, ' ', 'x', 0, (byte) 0xFF});
        succeeded(tool, "path", "latin", "old", "x", "new", "y");
        assertEquals("\u00e9 y\0\u00ff", fixture.text("latin"));
    }

    @Test
    void refusesWhatItCannotDo() throws Exception {
        fixture.file("f", "x");
        refused("tool.input_invalid", tool, "path", "f", "old", "", "new", "y");
        refused("tool.input_invalid", tool, "path", "f", "old", "x", "new", "x");
        refused("tool.input_invalid", tool, "path", "f", "old", "x");
        refused("tool.input_invalid", tool, "path", "f", "old", "x", "new", "y", "count", 0);
        refused("sandbox.path_protected", tool, "path", ".Git/config", "old", "x", "new", "y");
        refused("sandbox.path_outside", tool, "path", "../f", "old", "x", "new", "y");
        assertTrue(rejected("path", "none", "old", "x", "new", "y").contains("There is no 'none'"));
        assertTrue(rejected("path", "no/ne", "old", "x", "new", "y").contains("There is no"));
        Files.createSymbolicLink(fixture.workspace.resolve("l"), fixture.outside.resolve("secret"));
        assertTrue(rejected("path", "l", "old", "HOST", "new", "y").contains("symbolic link"));
        Files.createLink(fixture.workspace.resolve("hard"), fixture.outside.resolve("secret"));
        assertTrue(rejected("path", "hard", "old", "HOST", "new", "y").contains("hard links"));
        String[] big = {"y".repeat(499_000)};
        fixture.file("big", "x\n".repeat(20));
        String error = rejected("path", "big", "old", "x", "new", big[0], "count", 20);
        assertTrue(error.contains("would have more than"), error);
    }

    @Test
    void takesTheNamesOfOtherToolsAndTellsWhatItIgnores() throws Exception {
        fixture.file("f", "x x");
        String error =
                rejected(
                        "file_path",
                        "f",
                        "old_string",
                        "x",
                        "new_string",
                        "y",
                        "all_of_them",
                        true);
        assertTrue(error.contains("send 'count' 2"), error);
        assertTrue(error.contains("ignored unknown field 'all_of_them'"), error);
    }

    @Test
    void isDecidedAndApprovedAsAPatchIs() throws Exception {
        ToolExamination.Facts found =
                (ToolExamination.Facts) examine(tool, "path", "f", "old", "x", "new", "y");
        Set<String> path = Set.of(fixture.workspace + "/f");
        assertEquals(path, found.facts().readPaths());
        assertEquals(path, found.facts().writePaths());
        assertTrue(found.description().pattern().isEmpty());
        assertEquals(facts(tool, "path", "f", "old", "a", "new", "b"), found.facts());
    }

    @Test
    void aTextMadeToTakeForeverDoesNot() {
        String text = "a".repeat(4_000_000);
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> {
                    TextPlaces places = new TextPlaces(text, "a".repeat(400_000) + "b");
                    assertTrue(places.found().isEmpty());
                });
    }

    @Test
    void findsTheSamePlacesAsALookAtEachOne() {
        Random random = new Random(7);
        for (int round = 0; round < 5_000; round++) {
            String text = word(random, 12);
            String wanted = word(random, 4) + "a";
            int[] each =
                    java.util.stream.IntStream.range(0, text.length())
                            .filter(at -> text.startsWith(wanted, at))
                            .toArray();
            TextPlaces places = new TextPlaces(text, wanted);
            Assertions.assertArrayEquals(
                    each,
                    places.found().stream().mapToInt(Integer::intValue).toArray(),
                    text + " " + wanted);
            if (!places.overlap()) {
                assertEquals(text.replace(wanted, "c"), places.replaced("c"));
            }
        }
    }

    private static String word(Random random, int most) {
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(most); i > 0; i--) {
            word.append(random.nextBoolean() ? 'a' : 'b');
        }
        return word.toString();
    }
}
