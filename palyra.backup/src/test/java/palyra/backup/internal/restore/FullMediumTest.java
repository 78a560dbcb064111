package palyra.backup.internal.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.backup.internal.SmallMedium;
import palyra.shared.files.DurableFiles;

/** Restorations onto a medium that becomes full at each of their steps. */
class FullMediumTest {
    @TempDir Path temp;
    private Path source;

    @BeforeEach
    void fill() throws IOException {
        source = Sample.source(temp.resolve("source"), 300_000);
    }

    /** Fails at a step, and at each after it that needs space. */
    private static final class Full extends DurableFiles {
        private int left;

        Full(int steps) {
            left = steps;
        }

        private void step() throws IOException {
            if (left-- <= 0) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public void makeFolder(Path folder) throws IOException {
            step();
            super.makeFolder(folder);
        }

        @Override
        public FileChannel create(Path file) throws IOException {
            step();
            return super.create(file);
        }

        @Override
        public void force(FileChannel file) throws IOException {
            step();
            super.force(file);
        }

        @Override
        public void sync(Path folder) throws IOException {
            step();
            super.sync(folder);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            step();
            super.rename(from, to);
        }
    }

    @Test
    void aMediumThatIsFullAtAnyStepLeavesNothingAndIsNamed() throws IOException {
        byte[] backup = Sample.backup(source, false);
        int failures = 0;
        for (int steps = 0; ; steps++) {
            Path state = temp.resolve("place-" + steps + "/state");
            List<String> notes = new ArrayList<>();
            try {
                Sample.restore(state, new ByteArrayInputStream(backup), new Full(steps), notes);
                assertEquals(Sample.content(source), Sample.content(state));
                if (notes.isEmpty()) {
                    break;
                }
                assertTrue(notes.get(0).startsWith("The restored folder is there, but"));
            } catch (PalyraException e) {
                assertEquals(ErrorCode.DISK_FULL, e.code(), e.toString());
                assertTrue(
                        e.getMessage().contains("has no space left (")
                                && e.getMessage().endsWith("; free some space."),
                        e.getMessage());
                assertFalse(Files.exists(state) || Files.exists(Sample.draft(state)));
                failures++;
            }
        }
        assertTrue(failures > 15, failures + " steps");
    }

    /** The medium is a real one: blocks run out in the middle of files. */
    @Test
    void aSmallMediumIsNamedAtEachSizeUntilTheBackupFits() throws Exception {
        Path disk = Files.createDirectory(temp.resolve("disk"));
        byte[] backup = Sample.backup(source, true);
        Path state = disk.resolve("state");
        assumeTrue(SmallMedium.mount(disk, 40), "this user may not mount a file system");
        try {
            boolean restored = false;
            for (int kibibytes = 40; !restored; kibibytes += 36) {
                assertTrue(SmallMedium.resize(disk, kibibytes));
                try {
                    Sample.restore(state, backup);
                    restored = true;
                    assertEquals(Sample.content(source), Sample.content(state));
                } catch (PalyraException e) {
                    assertEquals(ErrorCode.DISK_FULL, e.code(), e.toString());
                    try (Stream<Path> left = Files.list(disk)) {
                        assertEquals(0, left.count(), "at " + kibibytes + " KiB");
                    }
                }
            }
        } finally {
            assertTrue(SmallMedium.unmount(disk));
        }
    }

    @Test
    void aFolderThatMayNotBeWrittenIsNamed() throws IOException {
        DurableFiles refused =
                new DurableFiles() {
                    @Override
                    public void makeFolder(Path folder) throws IOException {
                        throw new AccessDeniedException(folder.toString());
                    }
                };
        Path state = temp.resolve("closed/state");
        byte[] backup = Sample.backup(source, true);
        PalyraException e =
                assertThrows(
                        PalyraException.class,
                        () ->
                                Sample.restore(
                                        state,
                                        new ByteArrayInputStream(backup),
                                        refused,
                                        List.of()));
        assertEquals(ErrorCode.READ_ONLY, e.code());
        assertTrue(e.getMessage().contains("may not be written by this user"), e.getMessage());
    }
}
