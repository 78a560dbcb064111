package palyra.sandbox.internal.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.facts;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.refused;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolImage;
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
        assertFalse(all.has("next_from"));
        assertEquals(19, all.path("size_bytes").asInt());
        String absolute = fixture.workspace.resolve("src/../src/a.txt").toString();
        assertEquals("src/a.txt", succeeded(tool, "path", absolute).path("path").asText());
    }

    private static byte[] image(String format, int width, int height) throws Exception {
        BufferedImage pixels = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertTrue(ImageIO.write(pixels, format, bytes));
        return bytes.toByteArray();
    }

    private ConfinedResult read(String path) throws Exception {
        return FilesFixture.run(tool, FilesFixture.input("path", path));
    }

    @Test
    void anImageComesWithItsSizeAndItself() throws Exception {
        for (String format : List.of("png", "jpeg", "gif")) {
            byte[] file = image(format, 33, 7);
            fixture.file("a", file);
            JsonNode told = succeeded(tool, "path", "a");
            assertEquals("image/" + format, told.path("type").asText());
            assertEquals(33, told.path("width").asInt());
            assertEquals(7, told.path("height").asInt());
            assertEquals(List.of(ToolImage.of("image/" + format, file)), read("a").images());
            for (int length = 0; length < file.length; length++) { // cut off anywhere
                fixture.file("cut", Arrays.copyOf(file, length));
                read("cut");
            }
        }
    }

    @Test
    void ofALargeImageTheSizeIsTold() throws Exception {
        byte[] file = image("png", 33, 7);
        fixture.file("fits", Arrays.copyOf(file, ToolImage.MAX_BYTES));
        assertEquals(1, read("fits").images().size());
        fixture.file("large", Arrays.copyOf(file, ToolImage.MAX_BYTES + 1));
        JsonNode told = succeeded(tool, "path", "large");
        assertEquals(33, told.path("width").asInt());
        assertTrue(told.path("hint").asText().contains("make a smaller copy"), told.toString());
        assertEquals(List.of(), read("large").images());
        fixture.file("broken.png", Arrays.copyOf(file, 14));
        assertEquals(List.of(), read("broken.png").images());
        assertFalse(succeeded(tool, "path", "broken.png").has("width"));
    }

    @Test
    void sizesOfWebImagesAreRead() {
        Map<String, byte[]> forms =
                Map.of(
                        "VP8 ", webp("VP8 ", 26, 0x21, 0, 0x07, 0),
                        "VP8L", webp("VP8L", 21, 0x20, 0x80, 0x01, 0),
                        "VP8X", webp("VP8X", 24, 0x20, 0, 0, 0x06, 0, 0));
        forms.forEach(
                (form, file) ->
                        assertEquals(
                                Optional.of(new ImageSize(33, 7)),
                                ImageSize.of("image/webp", file),
                                form));
        assertEquals(Optional.empty(), ImageSize.of("image/webp", webp("ABCD", 20)));
    }

    private static byte[] webp(String form, int at, int... bytes) {
        byte[] file = Arrays.copyOf(("RIFF....WEBP" + form).getBytes(ISO_8859_1), 40);
        for (int i = 0; i < bytes.length; i++) {
            file[at + i] = (byte) bytes[i];
        }
        return file;
    }

    @Test
    void readsLinesFromAnOffset() throws Exception {
        fixture.file("f", "1\n2\n3\n4\n5\n");
        JsonNode part = succeeded(tool, "path", "f", "offset", 2, "limit", 2);
        assertEquals("2\n3\n", part.path("content").asText());
        assertTrue(part.path("truncated").asBoolean());
        assertEquals(4, part.path("next_from").asInt());
        JsonNode rest = succeeded(tool, "path", "f", "offset", 4);
        assertEquals("4\n5\n", rest.path("content").asText());
        assertFalse(rest.path("truncated").asBoolean());
        JsonNode beyond = succeeded(tool, "path", "f", "offset", 100);
        assertEquals("", beyond.path("content").asText());
        String hint = beyond.path("hint").asText();
        assertTrue(hint.startsWith("The file has 5 lines, and line "), hint);
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
        byte[] cyrillic = new byte[64];
        java.util.Arrays.fill(cyrillic, (byte) 0xCF);
        fixture.file("cyrillic", cyrillic);
        JsonNode other = succeeded(tool, "path", "cyrillic");
        assertTrue(other.path("binary").asBoolean(), other.toString());
        assertTrue(other.path("hint").asText().contains("iconv"), other.toString());
        assertFalse(other.has("content"));
        String text = "\u00e9t\u00e9 ".repeat(100) + "x".repeat(8_000) + "\u00e9";
        fixture.file("cut", text);
        assertFalse(succeeded(tool, "path", "cut").has("binary"), "it is UTF-8");
        fixture.file("binary", new byte[] {'E', 0, 'L'});
        JsonNode binary = succeeded(tool, "path", "binary");
        assertTrue(binary.path("binary").asBoolean());
        assertEquals(3, binary.path("size_bytes").asInt());
        assertEquals("application/octet-stream", binary.path("type").asText());
        assertFalse(binary.has("content"));
        fixture.file("p", "\u0089PNG\r\n\u001a\n\0\0".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals("image/png", succeeded(tool, "path", "p").path("type").asText());
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
        refused("tool.input_invalid", tool);
        assertTrue(failed(tool, "path", "missing").contains("missing"));
        assertTrue(failed(tool, "path", "missing/x").contains("missing"));
        failed(tool, "path", ".");
    }

    @Test
    void followsNoLinkThatLeadsOutsideAndReadsNothingButFiles() throws Exception {
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
    void readsTheEndOfAFile() throws Exception {
        fixture.file("f", "1\n2\n3\n4\n5");
        JsonNode tail = succeeded(tool, "path", "f", "from", -2);
        assertEquals("4\n5", tail.path("content").asText());
        assertEquals(4, tail.path("first_line").asInt());
        assertEquals(5, tail.path("total_lines").asInt());
        assertFalse(tail.path("truncated").asBoolean());
        JsonNode part = succeeded(tool, "path", "f", "from", -4, "lines", 2);
        assertEquals("2\n3\n", part.path("content").asText());
        assertEquals(4, part.path("next_from").asInt());
        assertEquals(1, succeeded(tool, "path", "f", "from", -9).path("first_line").asInt());
        assertEquals(1, succeeded(tool, "path", "f", "from", 0).path("first_line").asInt());
        fixture.file("empty", "");
        assertEquals("", succeeded(tool, "path", "empty", "from", -3).path("content").asText());
    }

    @Test
    void theEndOfAHugeFileIsReadWithoutTheRest() throws Exception {
        Path huge = fixture.file("huge", "");
        try (var file = FileChannel.open(huge, StandardOpenOption.WRITE)) {
            file.position(LineWindow.MAX_SCAN_BYTES + 1_000); // holes; a text none the less below
            file.write(ByteBuffer.wrap("\nlast but one\nlast\n".getBytes(StandardCharsets.UTF_8)));
            file.write(ByteBuffer.wrap("x".repeat(9_000).getBytes(StandardCharsets.UTF_8)), 0);
        }
        JsonNode tail = succeeded(tool, "path", "huge", "from", -2, "max_bytes", 500);
        assertEquals("last but one\nlast\n", tail.path("content").asText());
        assertFalse(tail.has("first_line"));
        assertTrue(tail.path("hint").asText().contains("too large to count"));
        JsonNode head = succeeded(tool, "path", "huge", "lines", 1, "max_bytes", 5);
        assertEquals("xxxxx", head.path("content").asText());
        assertFalse(head.has("total_lines"));
    }

    @Test
    void goesOnAfterALineThatIsTooLong() throws Exception {
        fixture.file("f", "abcdefgh\n2\n");
        JsonNode cut = succeeded(tool, "path", "f", "max_bytes", 4);
        assertEquals("abcd", cut.path("content").asText());
        assertTrue(cut.path("cut_within_line").asBoolean());
        assertEquals(2, cut.path("next_from").asInt());
    }

    @Test
    void everyContentFitsIntoAResult() throws Exception {
        fixture.file("controls", "\u0001".repeat(300_000));
        String latin = "x".repeat(9_000) + "\u00e9".repeat(300_000); // it begins like a text
        fixture.file("latin", latin.getBytes(StandardCharsets.ISO_8859_1));
        fixture.file("quotes", "\"".repeat(300_000));
        for (String file : List.of("controls", "latin", "quotes")) {
            var result =
                    FilesFixture.run(tool, FilesFixture.input("path", file, "max_bytes", 200_000));
            int bytes = result.result().outputJson().getBytes(StandardCharsets.UTF_8).length;
            assertTrue(bytes > 100_000 && bytes < 262_144, file + " has " + bytes);
        }
    }

    @Test
    void takesWhatModelsUsuallyWriteAndTellsWhatItIgnored() throws Exception {
        fixture.file("f", "1\n2\n3\n");
        JsonNode read = succeeded(tool, "file_path", "f", "offset", "2", "limit", "1");
        assertEquals("2\n", read.path("content").asText());
        assertFalse(read.has("note"));
        JsonNode noted = succeeded(tool, "path", "f", "lnes", 1);
        assertEquals(
                "ignored unknown field 'lnes' (did you mean 'lines'?); known fields: path, from,"
                        + " lines, max_bytes",
                noted.path("note").asText());
        assertEquals(3, noted.path("lines").asInt());
        assertTrue(failed(tool, "path", "none", "x", 1).contains("ignored unknown field 'x'"));
        assertEquals(facts(tool, "path", "f"), facts(tool, "filename", "f", "more", true));
        refused("tool.input_invalid", tool, "path", "f", "lines", "many");
        refused("tool.input_invalid", tool, "path", "f", "filename", "g");
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
    void aLinkToNothingIsToldWithWhereItLeads() throws Exception {
        Files.createSymbolicLink(fixture.workspace.resolve("link"), Path.of("sub/gone.txt"));
        String error = failed(tool, "path", "link");
        assertTrue(error.contains("'link' is or goes through a symbolic link"), error);
        assertTrue(error.contains("leads to 'sub/gone.txt', which does not exist"), error);
    }

    @Test
    void whatMayNotBeReadIsToldInASentence() throws Exception {
        Path file = fixture.file("closed", "x");
        Files.setPosixFilePermissions(file, Set.of());
        Assumptions.assumeFalse(Files.isReadable(file), "root reads every file");
        String error = failed(tool, "path", "closed");
        assertTrue(error.contains("may not open 'closed': its permissions"), error);
    }

    @Test
    void pathsOfOutputFilesCanBeSentBack() throws Exception {
        Path outputs = Files.createDirectories(fixture.workspaces.outputs("agent"));
        Files.writeString(outputs.resolve("c1.out"), "found it\n");
        ListDirTool list = new ListDirTool(() -> fixture.workspaces);
        JsonNode listed = succeeded(list, "path", outputs.toString());
        assertEquals(outputs.toString(), listed.path("path").asText());
        String entry = listed.path("entries").path(0).path("path").asText();
        assertEquals(outputs.resolve("c1.out").toString(), entry);
        SearchTool search = new SearchTool(() -> fixture.workspaces);
        JsonNode found = succeeded(search, "path", outputs.toString(), "pattern", "found");
        assertEquals(entry, found.path("matches").path(0).path("path").asText());
        assertEquals(entry, succeeded(tool, "path", entry).path("path").asText());
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
