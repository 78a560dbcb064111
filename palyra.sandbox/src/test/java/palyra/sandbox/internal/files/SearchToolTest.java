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
        refused("tool.input_invalid", tool, "pattern", "");
        refused("tool.input_invalid", tool, "pattern", "x".repeat(513));
        refused("sandbox.path_outside", tool, "pattern", "x", "path", "/etc");
        assertEquals(
                Set.of(fixture.workspace.toString()),
                FilesFixture.facts(tool, "pattern", "(").readPaths());
    }
}
