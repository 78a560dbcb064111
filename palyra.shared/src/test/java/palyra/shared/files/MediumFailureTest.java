package palyra.shared.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;

class MediumFailureTest {
    @TempDir Path folder;

    @Test
    void theSystemsWordsDecide() {
        assertEquals(
                MediumFailure.NO_SPACE,
                MediumFailure.of(new IOException("No space left on device"), folder));
        assertEquals(
                MediumFailure.NO_SPACE,
                MediumFailure.of(
                        new FileSystemException("/x", null, "Disk quota exceeded"), folder));
        assertEquals(
                MediumFailure.READ_ONLY,
                MediumFailure.of(
                        new FileSystemException("/x", null, "Read-only file system"), folder));
        assertEquals(
                MediumFailure.NO_PERMISSION,
                MediumFailure.of(new AccessDeniedException("/x"), folder));
        assertEquals(MediumFailure.IO, MediumFailure.of(new IOException("broken"), folder));
    }

    @Test
    void causesAreLookedAtToo() {
        Exception wrapped =
                new IllegalStateException(
                        new UncheckedIOException(new IOException("No space left on device")));
        assertEquals(MediumFailure.NO_SPACE, MediumFailure.of(wrapped, folder));
    }

    @Test
    void namesPlaceBytesAndRemedy() {
        String sentence =
                MediumFailure.sentence(new IOException("No space left on device"), folder);
        assertTrue(
                sentence.matches(
                        ".*" + folder + " has no space left \\(\\d+ bytes free\\); free.*"),
                sentence);
        assertEquals(
                folder
                        + " failed: broken; check the path, and the system's log for"
                        + " the device",
                MediumFailure.sentence(new IOException("broken"), folder));
    }

    @Test
    void saysWhyWithoutNamesOfClasses() {
        assertEquals("/x is not there", MediumFailure.reason(new NoSuchFileException("/x")));
        assertEquals(
                "/x may not be used by this user",
                MediumFailure.reason(new AccessDeniedException("/x")));
        assertEquals(
                "/x: Device or resource busy",
                MediumFailure.reason(
                        new FileSystemException("/x", null, "Device or resource busy")));
    }

    /** A file system without any room, such as /proc, is not a full one. */
    @Test
    void aPseudoFileSystemIsNotFull() {
        assertEquals(
                MediumFailure.IO, MediumFailure.of(new IOException("broken"), Path.of("/proc/x")));
    }

    @Test
    void givesEachItsCode() {
        assertEquals(ErrorCode.DISK_FULL, MediumFailure.NO_SPACE.code(ErrorCode.INTERNAL));
        assertEquals(ErrorCode.READ_ONLY, MediumFailure.READ_ONLY.code(ErrorCode.INTERNAL));
        assertEquals(ErrorCode.INTERNAL, MediumFailure.IO.code(ErrorCode.INTERNAL));
    }

    /** The system speaks the language of its user; the medium is asked then. */
    @Test
    void fullMediumIsKnownInEveryLanguage() throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString()) == 0,
                "this user may not mount a file system");
        try {
            Files.write(folder.resolve("filler"), new byte[1 << 20]);
            assertEquals(
                    MediumFailure.NO_SPACE,
                    MediumFailure.of(
                            new IOException("Auf dem Ger\u00e4t ist kein Platz"),
                            folder.resolve("not/there")));
            assertEquals(0, MediumFailure.freeBytes(folder));
        } finally {
            assertEquals(0, run("umount", folder.toString()));
        }
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }
}
