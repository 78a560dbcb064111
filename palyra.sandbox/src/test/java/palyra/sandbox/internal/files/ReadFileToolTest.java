package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.facts;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.refused;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolInvocation;
import palyra.shared.tool.FactsDigest;

class ReadFileToolTest {
    @TempDir Path temp;
    private FilesFixture fixture;
    private ReadFileTool tool;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        tool = new ReadFileTool(() -> fixture.workspaces);
    }

    @Test
    void readsAFileAndSaysHowMuchThereIs() throws Exception {
        fixture.file("src/a.txt", "one\ntwo\r\nthré 🙂");
        JsonNode all = succeeded(tool, "path", "src/a.txt");
        assertEquals("one\ntwo\r\nthré 🙂", all.path("content").asText());
        assertEquals(3, all.path("lines").asInt());
        assertEquals(3, all.path("total_lines").asInt());
        assertFalse(all.path("truncated").asBoolean());
        assertFalse(all.has("next_offset"));
        assertEquals(19, all.path("size_bytes").asInt());
        String absolute = fixture.workspace.resolve("src/../src/a.txt").toString();
        assertEquals("src/a.txt", succeeded(tool, "path", absolute).path("path").asText());
    }

    @Test
    void readsLinesFromAnOffset() throws Exception {
        fixture.file("f", "1\n2\n3\n4\n5\n");
        JsonNode part = succeeded(tool, "path", "f", "offset", 2, "limit", 2);
        assertEquals("2\n3\n", part.path("content").asText());
        assertTrue(part.path("truncated").asBoolean());
        assertEquals(4, part.path("next_offset").asInt());
        JsonNode rest = succeeded(tool, "path", "f", "offset", 4);
        assertEquals("4\n5\n", rest.path("content").asText());
        assertFalse(rest.path("truncated").asBoolean());
        JsonNode beyond = succeeded(tool, "path", "f", "offset", 100);
        assertEquals("", beyond.path("content").asText());
        assertEquals(5, beyond.path("total_lines").asInt());
        fixture.file("empty", "");
        assertEquals(0, succeeded(tool, "path", "empty").path("total_lines").asInt());
    }

    @Test
    void neverCutsACharacterInTwo() throws Exception {
        fixture.file("f", "aé🙂z");
        String[] expected = {"a", "a", "aé", "aé", "aé", "aé", "aé🙂", "aé🙂z"};
        for (int bytes = 1; bytes <= 8; bytes++) {
            JsonNode part = succeeded(tool, "path", "f", "max_bytes", bytes);
            assertEquals(expected[bytes - 1], part.path("content").asText());
            assertFalse(part.path("invalid_utf8_replaced").asBoolean());
            assertEquals(bytes < 8, part.path("truncated").asBoolean());
        }
    }

    @Test
    void saysWhatIsNoTextOrNoUtf8() throws Exception {
        fixture.file("latin", new byte[] {'a', (byte) 0xE9, 'b'});
        JsonNode latin = succeeded(tool, "path", "latin");
        assertEquals("a\uFFFDb", latin.path("content").asText());
        assertTrue(latin.path("invalid_utf8_replaced").asBoolean());
        fixture.file("binary", new byte[] {'E', 0, 'L'});
        assertTrue(failed(tool, "path", "binary").contains("binary file of 3 bytes"));
    }

    @Test
    void refusesPathsOutsideAlreadyWhenExamined() throws Exception {
        for (String path :
                List.of("../x", "a/../../x", "/etc/passwd", fixture.workspace + "x", "/")) {
            refused("sandbox.path_outside", tool, "path", path);
            failed(tool, "path", path);
        }
        refused("tool.input_invalid", tool, "path", "");
        refused("tool.input_invalid", tool, "path", 1);
        refused("tool.input_invalid", tool, "path", "a", "limit", 0);
        refused("tool.input_invalid", tool, "path", "a", "more", 1);
        refused("tool.input_invalid", tool);
        assertTrue(failed(tool, "path", "missing").contains("missing"));
        assertTrue(failed(tool, "path", "missing/x").contains("missing"));
        failed(tool, "path", ".");
    }

    @Test
    void followsNoLinkAndReadsNothingButFiles() throws Exception {
        Files.createSymbolicLink(fixture.workspace.resolve("l"), fixture.outside.resolve("secret"));
        Files.createSymbolicLink(fixture.workspace.resolve("d"), fixture.outside);
        Files.createDirectories(fixture.workspace.resolve("folder"));
        assertTrue(Files.readString(fixture.workspace.resolve("l")).contains("HOSTSECRET"));
        assertTrue(failed(tool, "path", "l").contains("symbolic link"));
        assertTrue(failed(tool, "path", "d/secret").contains("symbolic link"));
        assertTrue(failed(tool, "path", "folder").contains("folder"));
        fixture.file("file", "x");
        assertTrue(failed(tool, "path", "file/x").contains("folder"));
    }

    @Test
    void aPipeIsRefusedAndNotWaitedFor() throws Exception {
        Path pipe = fixture.workspace.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        assertTrue(failed(tool, "path", "pipe").contains("not a regular file"));
    }

    @Test
    void saysWhatItReadsAndRunsOnlyWhatWasDecided() throws Exception {
        fixture.file("f", "x");
        String path = fixture.workspace.resolve("f").toString();
        assertEquals(Set.of(path), facts(tool, "path", "f").readPaths());
        assertEquals(Set.of(), facts(tool, "path", "f").writePaths());
        assertEquals(Set.of(Capability.FILESYSTEM_READ), tool.descriptor().capabilities());
        assertTrue(tool.descriptor().readOnly() && tool.descriptor().idempotent());
        String decided = FactsDigest.of(facts(tool, "path", "f"));
        String input = FilesFixture.input("path", "f");
        assertEquals(
                Outcome.SUCCEEDED, tool.run(FilesFixture.order(tool, input, decided)).outcome());
        String other = FilesFixture.input("path", "g");
        assertTrue(
                tool.run(FilesFixture.order(tool, other, decided))
                        .result()
                        .error()
                        .contains("decided"));
    }

    @Test
    void refusesToStartWithoutAnOrder() {
        ToolInvocation call =
                new ToolInvocation("c", 1, "r", "s", "u", FilesFixture.input("path", "f"), 0);
        assertThrows(PalyraException.class, () -> tool.execute(call));
    }

    @Test
    void anAgentWithoutAWorkspaceIsRefused() {
        var found =
                tool.examine(
                        new ToolProposed(
                                "palyra.fs.read_file", "{\"path\":\"f\"}", "s", "u", "../x"));
        assertTrue(found.toString().contains("Refused"), found.toString());
    }

    @Test
    void anInterruptedCallEnds() throws Exception {
        fixture.file("f", "x\n".repeat(100_000));
        Thread.currentThread().interrupt();
        assertThrows(
                InterruptedException.class,
                () -> FilesFixture.run(tool, FilesFixture.input("path", "f")));
    }
}
