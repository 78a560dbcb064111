package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.facts;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where paths lead. */
class PlaceTest {
    @TempDir Path temp;
    private FilesFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        fixture.file("real/deep/f", "content\n");
    }

    private void link(String name, String target) throws IOException {
        Path link = fixture.workspace.resolve(name);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(target));
    }

    private String real(String path) throws FileRefusal {
        return Place.of(fixture.workspace, path).real().toString();
    }

    @Test
    void linksAreFollowedAsTheSystemDoes() throws Exception {
        link("l", "real");
        link("l2", "l/deep");
        link("a/b/up", "../../real");
        link("abs", fixture.workspace + "/real/deep");
        link("dots", "./real/../real/.//deep");
        link("back", "l2/..");
        link("top", fixture.workspace.toString());
        link("new", "real/not/yet");
        for (String path :
                new String[] {
                    "l/deep/f",
                    "l2/f",
                    "a/b/up/deep/f",
                    "abs/f",
                    "dots/f",
                    "back/deep/f",
                    "top/l/deep/f"
                }) {
            assertEquals("real/deep/f", real(path), path);
            assertEquals(
                    fixture.workspace.resolve("real/deep/f").toString(),
                    fixture.workspace.resolve(path).toRealPath().toString());
        }
        assertEquals("real/not/yet/x", real("new/x"));
        assertEquals("real/deep/f/x", real("l2/f/x"));
        assertEquals(".", real("top"));
        assertEquals("no/such", real("no/such"));
    }

    @Test
    void linksThatLeadOutsideAreRefused() throws Exception {
        link("one", "..");
        link("two", "real/../../outside");
        link("three", "/etc");
        link("four", fixture.workspace + "x");
        link("five", "two");
        link("six", "six");
        link("seven", "none/../../x");
        for (String path :
                new String[] {
                    "one", "two/secret", "three/passwd", "four", "five", "six", "seven"
                }) {
            FileRefusal refusal = assertThrows(FileRefusal.class, () -> real(path), path);
            assertFalse(refusal.getMessage().contains("/etc"), refusal.getMessage());
        }
    }

    @Test
    void readingFollowsLinksWithinTheWorkspaceAndSaysSo() throws Exception {
        link("l", "real/deep");
        ReadFileTool read = new ReadFileTool(() -> fixture.workspaces);
        JsonNode output = succeeded(read, "path", "l/f");
        assertEquals("content\n", output.path("content").asText());
        assertEquals("l/f", output.path("path").asText());
        assertEquals("real/deep/f", output.path("link_to").asText());
        String root = fixture.workspace.toString();
        assertEquals(
                Set.of(root + "/l/f", root + "/real/deep/f"),
                facts(read, "path", "l/f").readPaths(),
                "policies see both");
        ListDirTool list = new ListDirTool(() -> fixture.workspaces);
        assertEquals("real/deep/f", succeeded(list, "path", "l").at("/entries/0/path").asText());
        JsonNode top = succeeded(list);
        assertEquals("real/deep", top.at("/entries/0/link_to").asText(), top.toString());
        link("out", fixture.outside.toString());
        assertTrue(failed(list, "path", "out").contains("outside of the workspace"));
    }
}
