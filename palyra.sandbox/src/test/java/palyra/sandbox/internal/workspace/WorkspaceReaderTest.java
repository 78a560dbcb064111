package palyra.sandbox.internal.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** What makes another state of a workspace, and what does not. */
class WorkspaceReaderTest {
    @TempDir Path workspace;
    private final WorkspaceReader reader = new WorkspaceReader(1_000, 60_000);

    @BeforeEach
    void fill() throws Exception {
        Files.createDirectories(workspace.resolve("src/deep"));
        Files.writeString(workspace.resolve("Makefile"), "all:");
        Files.writeString(workspace.resolve("src/deep/a.c"), "int a;");
    }

    private WorkspaceManifest read() {
        return reader.read(workspace);
    }

    @Test
    void theSameFilesAreTheSameState() {
        assertEquals(read().sha256(), read().sha256());
        assertEquals(4, read().fingerprints().size());
    }

    @Test
    void contentOfTheSameLengthWithItsTimeSetBackIsAnotherState() throws Exception {
        Path file = workspace.resolve("src/deep/a.c");
        WorkspaceManifest before = read();
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, "int b;");
        Files.setLastModifiedTime(file, time);
        assertEquals(List.of("changed: src/deep/a.c"), read().since(before));
    }

    @Test
    void aFileMovedOverAnotherIsAnotherState() throws Exception {
        Path other = Files.writeString(workspace.resolveSibling("other"), "ill:");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(workspace.resolve("Makefile")));
        WorkspaceManifest before = read();
        Files.move(other, workspace.resolve("Makefile"), StandardCopyOption.REPLACE_EXISTING);
        assertEquals(List.of("changed: Makefile"), read().since(before));
    }

    @Test
    void modeLinksAndNamesCount() throws Exception {
        WorkspaceManifest before = read();
        assertTrue(workspace.resolve("Makefile").toFile().setExecutable(true));
        Files.createSymbolicLink(workspace.resolve("link"), Path.of("/etc"));
        Files.delete(workspace.resolve("src/deep/a.c"));
        assertEquals(
                List.of("changed: Makefile", "added: link", "removed: src/deep/a.c"),
                read().since(before));
        assertEquals(4, read().fingerprints().size(), "links are not followed");
    }

    @Test
    void everyChangeThatIsMadeRightAfterAReadingIsSeen() throws Exception {
        Path file = workspace.resolve("Makefile");
        for (int i = 0; i < 50; i++) {
            Files.writeString(file, "a" + i % 10);
            String before = read().sha256();
            Files.writeString(file, "b" + i % 10);
            assertNotEquals(before, read().sha256(), "round " + i);
        }
    }

    @Test
    void aFileThatKeepsChangingEqualsNoState() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer =
                new Thread(
                        () -> {
                            while (!stop.get()) {
                                try {
                                    Files.writeString(workspace.resolve("log"), "x");
                                } catch (java.io.IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            }
                        });
        writer.start();
        try {
            String fingerprint;
            do {
                fingerprint = read().fingerprints().get("log");
            } while (fingerprint == null || !fingerprint.startsWith("unstable "));
            assertNotEquals(fingerprint, read().fingerprints().get("log"));
        } finally {
            stop.set(true);
            writer.join();
        }
    }

    @Test
    void tooManyFilesAndTooMuchTimeAreRefusedWithTheFigure() {
        PalyraException many =
                assertThrows(
                        PalyraException.class,
                        () -> new WorkspaceReader(3, 60_000).read(workspace));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, many.code());
        assertTrue(many.getMessage().contains("more than 3 files"), many.getMessage());
        PalyraException slow =
                assertThrows(
                        PalyraException.class, () -> new WorkspaceReader(1_000, 0).read(workspace));
        assertTrue(slow.getMessage().contains("longer than 0 ms"), slow.getMessage());
    }

    @Test
    void atMostTwentyChangesAreNamed() throws Exception {
        WorkspaceManifest before = read();
        for (int i = 0; i < 25; i++) {
            Files.writeString(workspace.resolve("f" + i), "");
        }
        List<String> changes = read().since(before);
        assertEquals(21, changes.size());
        assertEquals("and 5 more", changes.get(20));
    }
}
