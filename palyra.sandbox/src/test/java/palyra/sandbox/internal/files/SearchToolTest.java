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
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchToolTest {
    @TempDir Path temp;
    private FilesFixture fixture;
    private SearchTool tool;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        tool = new SearchTool(() -> fixture.workspaces);
    }

    @Test
    void findsTextsAndRegularExpressions() throws Exception {
        fixture.file("a.txt", "one\r\nt(w)o TWO\nthree");
        fixture.file("src/b.java", "two");
        JsonNode literal = succeeded(tool, "pattern", "t(w)o");
        assertEquals(1, literal.path("matches").size());
        assertEquals("a.txt", literal.at("/matches/0/path").asText());
        assertEquals(2, literal.at("/matches/0/line").asInt());
        assertEquals(1, literal.at("/matches/0/column").asInt());
        assertEquals("t(w)o TWO", literal.at("/matches/0/text").asText());
        assertTrue(literal.path("complete").asBoolean());
        assertEquals(2, literal.path("files_searched").asInt());
        JsonNode regex = succeeded(tool, "pattern", "^o?n?e$|^two$", "regex", true);
        assertEquals(2, regex.path("matches").size(), regex.toString());
        assertEquals(
                2, succeeded(tool, "pattern", "two", "ignore_case", true).path("matches").size());
        assertEquals(1, succeeded(tool, "pattern", "t", "glob", "*.java").path("matches").size());
        assertEquals(
                "src/b.java",
                succeeded(tool, "pattern", "t", "path", "src").at("/matches/0/path").asText());
    }

    @Test
    void stopsAtTheLimitAndSaysSo() throws Exception {
        fixture.file("f", "x\n".repeat(10));
        JsonNode output = succeeded(tool, "pattern", "x", "limit", 3);
        assertEquals(3, output.path("matches").size());
        assertFalse(output.path("complete").asBoolean());
        assertTrue(succeeded(tool, "pattern", "x", "limit", 10).path("complete").asBoolean());
    }

    @Test
    void leavesOutLinksAndBinaries() throws Exception {
        Files.createSymbolicLink(fixture.workspace.resolve("l"), fixture.outside.resolve("secret"));
        Files.createSymbolicLink(fixture.workspace.resolve("d"), fixture.outside);
        fixture.file("binary", new byte[] {'H', 'O', 'S', 'T', 0});
        JsonNode output = succeeded(tool, "pattern", "HOST");
        assertEquals(0, output.path("matches").size(), output.toString());
        assertEquals(3, output.path("files_skipped").asInt());
        assertTrue(failed(tool, "pattern", "HOST", "path", "d").contains("symbolic link"));
    }

    @Test
    void givesLinesAroundAMatch() throws Exception {
        fixture.file("f", "1\n2\r\nhere\n4\n5\nhere");
        JsonNode output = succeeded(tool, "pattern", "here", "context", 2);
        assertEquals("[\"1\",\"2\"]", output.at("/matches/0/before").toString());
        assertEquals("[\"4\",\"5\"]", output.at("/matches/0/after").toString());
        assertEquals("[]", output.at("/matches/1/after").toString());
        assertFalse(succeeded(tool, "pattern", "here").at("/matches/0").has("before"));
    }

    @Test
    void searchesOneFileAndThroughALinkWithinTheWorkspace() throws Exception {
        fixture.file("src/a", "needle\n");
        fixture.file("src/b", "needle\n");
        assertEquals(1, succeeded(tool, "query", "needle", "path", "src/b").path("matches").size());
        Files.createSymbolicLink(fixture.workspace.resolve("l"), Path.of("src"));
        assertEquals(2, succeeded(tool, "pattern", "needle", "path", "l").path("matches").size());
    }

    @Test
    void leavesOutWhatGitIgnoresUnlessToldOtherwise() throws Exception {
        fixture.file(".gitignore", "node_modules/\n*.log\n");
        fixture.file("node_modules/x.js", "needle\n");
        fixture.file("a.log", "needle\n");
        fixture.file(".git/config", "needle\n");
        fixture.file("a.js", "needle\n");
        JsonNode output = succeeded(tool, "pattern", "needle");
        assertEquals(1, output.path("matches").size(), output.toString());
        assertEquals("a.js", output.at("/matches/0/path").asText());
        assertEquals(3, output.path("ignored").asInt());
        JsonNode all = succeeded(tool, "pattern", "needle", "include_ignored", true);
        assertEquals(4, all.path("matches").size());
        JsonNode within = succeeded(tool, "pattern", "needle", "path", "node_modules");
        assertEquals(1, within.path("matches").size(), "a folder that is asked for");
    }

    @Test
    void everyAnswerFitsIntoAResult() throws Exception {
        fixture.file("f", ("x" + "\u0001".repeat(390) + "\n").repeat(2_000));
        var result =
                FilesFixture.run(
                        tool, FilesFixture.input("pattern", "x", "limit", 1_000, "context", 10));
        int bytes = result.result().outputJson().length();
        assertTrue(bytes > 50_000 && bytes < 262_144, bytes + " bytes");
        assertTrue(result.result().outputJson().contains("narrow path"));
        assertTrue(result.result().outputJson().contains("\"complete\":false"));
    }

    @Test
    void anExpressionThatNeverEndsEnds() throws Exception {
        fixture.file("f", "a".repeat(60) + "!\n");
        SearchTool hurried = new SearchTool(() -> fixture.workspaces, Duration.ofMillis(200));
        JsonNode output = succeeded(hurried, "pattern", "^(a+)+$", "regex", true);
        assertEquals(0, output.path("matches").size());
        // A clever engine may see through this one; then it is complete.
        assertEquals(output.path("out_of_time").asBoolean(), !output.path("complete").asBoolean());
        JsonNode worse = succeeded(hurried, "pattern", "^(?:(a|aa|a?a)+)+(\\1|b)$", "regex", true);
        assertTrue(worse.path("out_of_time").asBoolean(), worse.toString());
        assertFalse(worse.path("complete").asBoolean());
    }

    @Test
    void anExpressionThatIsTooDeepIsRefusedWithASentence() throws Exception {
        fixture.file("f", "ab".repeat(45_000));
        assertTrue(failed(tool, "pattern", "(?:a|b|ab)*c", "regex", true).contains("simpler"));
    }

    @Test
    void showsTheMatchOfALongLine() throws Exception {
        fixture.file("f", "🙂".repeat(1_000) + "needle" + "🙂".repeat(1_000));
        JsonNode match = succeeded(tool, "pattern", "needle").at("/matches/0");
        assertTrue(match.path("text").asText().startsWith("needle"), match.toString());
        assertTrue(match.path("text_cut").asBoolean());
    }

    @Test
    void refusesWhatItCannotUse() throws Exception {
        refused("tool.input_invalid", tool, "pattern", "(", "regex", true);
        String broken = failed(tool, "pattern", "ab[c", "regex", true);
        assertTrue(broken.contains("Unclosed character class at character 4"), broken);
        refused("tool.input_invalid", tool, "pattern", "");
        refused("tool.input_invalid", tool, "pattern", "x".repeat(513));
        refused("sandbox.path_outside", tool, "pattern", "x", "path", "/etc");
        assertEquals(
                Set.of(fixture.workspace.toString()),
                FilesFixture.facts(tool, "pattern", "(").readPaths());
    }
}
