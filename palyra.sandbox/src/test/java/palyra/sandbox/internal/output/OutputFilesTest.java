package palyra.sandbox.internal.output;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the whole output of commands is, and how much of it. */
class OutputFilesTest {
    private static final long DAY = TimeUnit.DAYS.toMillis(1);

    @TempDir Path folder;
    private OutputBounds bounds = new OutputBounds(1_000, 4_000, 6, DAY);
    private OutputFiles files;

    @BeforeEach
    void open() {
        files = new OutputFiles(() -> folder, () -> bounds);
    }

    private StreamOutput written(String call, String stream, int bytes) {
        CapturedOutput output =
                new CapturedOutput(stream, 100, files.of("anna", call), new OutputSignal());
        byte[] chunk = "0123456789".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes / chunk.length; i++) {
            output.add(chunk, chunk.length);
        }
        output.end();
        return output.now();
    }

    @Test
    void littleOutputMakesNoFile() throws IOException {
        StreamOutput output = written("c1", "out", 100);
        assertEquals("", output.file());
        assertEquals("", output.where());
        assertFalse(Files.exists(folder.resolve(OutputFiles.FOLDER)));
    }

    /** A gateway that is killed loses what was in its memory alone. */
    @Test
    void littleOutputOfALongCommandIsInAFileUntilItsEnd() throws IOException {
        CapturedOutput output =
                new CapturedOutput("out", 100, files.of("anna", "c1"), new OutputSignal());
        output.keepForCrash(); // there is nothing yet
        assertEquals(List.of(), files.left("anna", "c1"));
        output.add("first\n".getBytes(StandardCharsets.UTF_8), 6);
        output.keepForCrash();
        output.add("second\n".getBytes(StandardCharsets.UTF_8), 7);
        String file = files.left("anna", "c1").get(0);
        assertEquals("first\nsecond\n", Files.readString(Path.of(file)));
        assertEquals("second\n", OutputFiles.end(file, 8));
        assertEquals("", output.now().file());
        output.end();
        output.keepForCrash();
        assertEquals(List.of(), files.left("anna", "c1"));
        assertEquals("first\nsecond\n", output.now().shown(100));
    }

    @Test
    void moreThanMemoryKeepsIsInAFileForItsOwnerAlone() throws IOException {
        StreamOutput output = written("c1", "out", 500);
        Path file = Path.of(output.file());
        assertEquals("0123456789".repeat(50), Files.readString(file));
        assertEquals("all of it is in " + file, output.where());
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
        assertEquals(List.of(file.toString()), files.left("anna", "c1"));
        assertEquals(List.of(), files.left("bert", "c1"));
    }

    @Test
    void beyondTheQuotaItIsCountedAndSaid() throws IOException {
        StreamOutput output = written("c1", "out", 5_000);
        assertEquals(5_000, output.bytes());
        assertEquals(1_000, Files.size(Path.of(output.file())));
        assertTrue(output.where().startsWith("the first 1000 bytes are in "), output.where());
        assertTrue(output.where().contains("quota"), output.where());
    }

    @Test
    void operatorMayHaveNoFilesAtAll() {
        bounds = new OutputBounds(0, 4_000, 6, DAY);
        StreamOutput output = written("c1", "out", 5_000);
        assertEquals("", output.file());
        assertTrue(output.shown(60).contains("outputFileBytes of palyra.sandbox is 0"));
        assertEquals(List.of(), files.left("anna", "c1"));
    }

    @Test
    void bothStreamsShareTheQuota() throws IOException {
        OutputStore store = files.of("anna", "c1");
        byte[] bytes = new byte[800];
        try (OutputFile out = store.begin("out");
                OutputFile err = store.begin("err")) {
            out.add(bytes, 800);
            err.add(bytes, 800);
            assertEquals(1_000, out.size() + err.size());
            assertEquals("", out.lost());
            assertFalse(err.lost().isEmpty());
        }
    }

    @Test
    void oldestMakeRoomByNumberBytesAndAge() throws IOException {
        for (int i = 0; i < 8; i++) {
            written("c" + i, "out", 300);
            Files.setLastModifiedTime(
                    Path.of(files.left("anna", "c" + i).get(0)),
                    FileTime.fromMillis(System.currentTimeMillis() - 10_000 + i * 1_000));
        }
        assertEquals(List.of(), files.left("anna", "c0"));
        assertFalse(files.left("anna", "c7").isEmpty());
        try (var kept = Files.list(folder.resolve(OutputFiles.FOLDER).resolve("anna"))) {
            assertEquals(5, kept.count());
        }
        Files.setLastModifiedTime(
                Path.of(files.left("anna", "c7").get(0)),
                FileTime.fromMillis(System.currentTimeMillis() - 2 * DAY));
        files.removeOld();
        assertEquals(List.of(), files.left("anna", "c7"));
        assertFalse(files.left("anna", "c6").isEmpty());
        bounds = new OutputBounds(1_000, 1_000, 6, DAY);
        written("big", "out", 900);
        assertEquals(List.of(), files.left("anna", "c4"));
        assertEquals(250, Files.size(Path.of(files.left("anna", "big").get(0))));
    }

    @Test
    void callsThatRunHaveTheirRoomAndKeepTheirFiles() throws IOException {
        bounds = new OutputBounds(1_000, 4_000, 2, DAY);
        byte[] bytes = new byte[1_000];
        List<OutputFile> running = new java.util.ArrayList<>();
        long held = 0;
        for (int i = 0; i < 6; i++) {
            running.add(files.of("anna", "r" + i).begin("out"));
        }
        for (OutputFile file : running) {
            file.add(bytes, bytes.length);
            assertTrue(Files.exists(Path.of(file.path())), file.path());
            held += file.size();
        }
        assertEquals(4_000, held);
        running.forEach(OutputFile::close);
        try (OutputFile last = files.of("anna", "last").begin("out")) {
            last.add(bytes, bytes.length);
            assertEquals(1_000, last.size());
            assertFalse(Files.exists(Path.of(running.get(0).path())));
        }
    }

    @Test
    void linkInItsPlaceIsNeitherFollowedNorWritten() throws IOException {
        Path agent = Files.createDirectories(OutputFiles.of(folder, "anna"));
        Path victim = Files.writeString(folder.resolve("victim"), "untouched");
        Files.createSymbolicLink(agent.resolve("c1.out.txt"), victim);
        StreamOutput output = written("c1", "out", 500);
        assertEquals("untouched", Files.readString(victim));
        assertEquals("", output.file());
        assertTrue(output.where().contains("could not be made"), output.where());
        assertEquals(500, output.bytes());
    }

    @Test
    void folderThatCannotBeMadeCostsTheCommandNothing() throws IOException {
        Files.writeString(folder.resolve(OutputFiles.FOLDER), "in the way");
        StreamOutput output = written("c1", "out", 500);
        assertEquals(500, output.bytes());
        assertTrue(output.shown(60).contains("could not be made"), output.shown(60));
        assertEquals(java.util.Optional.empty(), files.readable("anna"));
    }

    @Test
    void whatIsNewSinceAPlaceIsReadFromMemoryAndFile() {
        CapturedOutput output =
                new CapturedOutput("out", 100, files.of("anna", "c1"), new OutputSignal());
        byte[] text = "line one\n".repeat(40).getBytes(StandardCharsets.UTF_8);
        output.add(text, text.length);
        CapturedOutput.Piece piece = output.since(0, 1_000, true);
        assertEquals(new String(text, StandardCharsets.UTF_8), piece.text());
        assertEquals(text.length, piece.next());
        assertEquals("", output.since(piece.next(), 1_000, true).text());
        byte[] half = {'a', (byte) 0xC3};
        output.add(half, 2);
        CapturedOutput.Piece cut = output.since(piece.next(), 1_000, true);
        assertEquals("a", cut.text());
        output.add(new byte[] {(byte) 0xA9}, 1);
        output.end();
        assertEquals("é", output.since(cut.next(), 1_000, false).text());
        assertEquals("aé", output.since(piece.next(), 1_000, false).text());
    }

    @Test
    void whatIsNewAndNowhereAnyMoreIsSaid() {
        bounds = new OutputBounds(200, 800, 6, DAY);
        StreamOutput ignored = written("c0", "out", 10);
        CapturedOutput output =
                new CapturedOutput("out", 100, files.of("anna", "c1"), new OutputSignal());
        byte[] text = "line one\n".repeat(400).getBytes(StandardCharsets.UTF_8);
        output.add(text, text.length);
        CapturedOutput.Piece piece = output.since(1_000, 50, true);
        assertTrue(piece.text().startsWith("[… 2600 bytes since the cursor"), piece.text());
        assertTrue(piece.text().endsWith("line one\n"), piece.text());
        assertEquals(text.length, piece.next());
        assertEquals(10, ignored.bytes());
    }

    @Test
    void rawBytesStayAsTheyWere() throws IOException {
        CapturedOutput output =
                new CapturedOutput("err", 100, files.of("anna", "c1"), new OutputSignal());
        byte[] bar = "\u001b[31m10%\r20%\r".repeat(20).getBytes(StandardCharsets.UTF_8);
        output.add(bar, bar.length);
        output.end();
        assertArrayEquals(bar, Files.readAllBytes(Path.of(output.now().file())));
        assertEquals("20%", output.now().shown(1_000));
    }
}
