package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.refused;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListDirToolTest {
    @TempDir Path temp;
    private FilesFixture fixture;
    private ListDirTool tool;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        tool = new ListDirTool(() -> fixture.workspaces);
    }

    private static List<String> paths(JsonNode output) {
        List<String> paths = new ArrayList<>();
        output.path("entries").forEach(entry -> paths.add(entry.path("path").asText()));
        return paths;
    }

    @Test
    void listsInOrderAndSaysWhatThingsAre() throws Exception {
        fixture.file("b.txt", "12345");
        fixture.file("a/x", "1");
        Files.createSymbolicLink(fixture.workspace.resolve("c"), fixture.outside);
        JsonNode output = succeeded(tool);
        assertEquals(List.of("a", "b.txt", "c"), paths(output));
        assertEquals("folder", output.at("/entries/0/type").asText());
        assertEquals("file", output.at("/entries/1/type").asText());
        assertEquals(5, output.at("/entries/1/size_bytes").asInt());
        assertEquals("link", output.at("/entries/2/type").asText());
        assertTrue(output.at("/entries/2/leads_outside").asBoolean());
        assertFalse(output.toString().contains(fixture.outside.toString()));
        assertEquals(
                "{\"files\":1,\"folders\":1,\"links\":1,\"others\":0}",
                output.path("counts").toString());
        assertFalse(output.path("more").asBoolean());
    }

    @Test
    void goesAsDeepAsItIsToldAndNeverIntoALink() throws Exception {
        fixture.file("a/b/c/d", "x");
        Files.createSymbolicLink(fixture.workspace.resolve("link"), fixture.outside);
        assertEquals(List.of("a", "a/b", "link"), paths(succeeded(tool, "depth", 2)));
        assertEquals(
                List.of("a/b", "a/b/c", "a/b/c/d"),
                paths(succeeded(tool, "depth", 32, "path", "a")));
        assertTrue(failed(tool, "path", "link").contains("symbolic link"));
        refused("sandbox.path_outside", tool, "path", "..");
        refused("sandbox.path_outside", tool, "cursor", "../x");
        refused("tool.input_invalid", tool, "depth", 33);
    }

    @Test
    void filtersByPattern() throws Exception {
        fixture.file("A.java", "");
        fixture.file("src/B.java", "");
        fixture.file("src/c.txt", "");
        assertEquals(
                List.of("A.java", "src/B.java"),
                paths(succeeded(tool, "depth", 9, "glob", "*.java")));
        assertEquals(
                List.of("src/B.java", "src/c.txt"),
                paths(succeeded(tool, "depth", 9, "glob", "src/*")));
    }

    /** An empty answer alone would say that there is nothing. */
    @Test
    void aPatternThatFitsNothingIsExplainedAndABrokenOneRefused() throws Exception {
        fixture.file("src/B.java", "");
        String hint = succeeded(tool, "depth", 9, "glob", "[A-Z].java").path("hint").asText();
        assertTrue(
                hint.startsWith(
                        "None of the 2 entries down to depth 9 fits the glob '[A-Z].java'."),
                hint);
        assertTrue(hint.contains("[ and ] too"), hint);
        assertTrue(succeeded(tool, "depth", 9, "glob", "*.java").path("hint").isMissingNode());
        refused("tool.input_invalid", tool, "glob", "*.{c,h");
        refused("tool.input_invalid", tool, "glob", "*.c}");
    }

    @Test
    void pagesMeetWithoutGapOrOverlap() throws Exception {
        for (String path : List.of("a", "a-b", "b/1", "b/2", "b/3/x", "b-c/1", "c", "d/e/f/g")) {
            fixture.file(path, "");
        }
        List<String> whole = paths(succeeded(tool, "depth", 32, "limit", 1_000));
        for (int limit = 1; limit <= 5; limit++) {
            List<String> pages = new ArrayList<>();
            String cursor = "";
            do {
                JsonNode page = succeeded(tool, "depth", 32, "limit", limit, "cursor", cursor);
                pages.addAll(paths(page));
                cursor = page.path("cursor").asText("");
            } while (!cursor.isEmpty());
            assertEquals(whole, pages);
        }
        assertEquals(14, whole.size(), whole.toString());
    }

    @Test
    void patternsMatchAsWritten() {
        Object[][] cases = {
            {"*.c", "a.c", true},
            {"*.c", "x/a.c", true},
            {"*.c", "a.cc", false},
            {"src/*.c", "src/a.c", true},
            {"src/*.c", "src/x/a.c", false},
            {"src/**", "src/x/a.c", true},
            {"**/a.c", "a.c", true},
            {"**/a.c", "x/y/a.c", true},
            {"a/**/b", "a/b", true},
            {"a/**/b", "a/x/y/b", true},
            {"a/**/b", "ab", false},
            {"?", "a", true},
            {"?", "ab", false},
            {"a?c/x", "a/c/x", false},
            {"", "x/y", true},
            {"*.{c,h}", "x/a.h", true},
            {"*.{c,h}", "x/a.o", false},
            {"{a,b}/{c,d}", "b/c", true},
            {"{a", "{a", true},
            {"[a]", "a", false},
            {"[a]", "[a]", true},
            {"**", "x/y", true},
            {"*", "", true},
            {"a*b*c", "aXbYc", true},
            {"a*b*c", "aXbY", false},
        };
        for (Object[] each : cases) {
            assertEquals(
                    each[2],
                    Glob.of((String) each[0]).matches((String) each[1]),
                    each[0] + " on " + each[1]);
        }
    }

    @Test
    void aPatternMadeToTakeForeverDoesNot() {
        assertFalse(Glob.of("*a".repeat(120) + "b").matches("a".repeat(4_000)));
        assertFalse(Glob.of("**/".repeat(80) + "b").matches("a/".repeat(2_000)));
    }
}
