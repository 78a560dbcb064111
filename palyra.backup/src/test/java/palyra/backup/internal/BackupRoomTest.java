package palyra.backup.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.testing.command.FakeCommandContext;

/** Backups on media that have too little room, which are real ones. */
class BackupRoomTest {
    @TempDir Path temp;
    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(temp.resolve("disk"));
        assumeTrue(SmallMedium.mount(disk, 40), "this user may not mount a file system");
    }

    @AfterEach
    void unmount() throws Exception {
        SmallMedium.unmount(disk);
    }

    private void size(int kibibytes) throws Exception {
        assertTrue(SmallMedium.resize(disk, kibibytes));
    }

    private static long files(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile).count();
        }
    }

    private static PalyraException refused(Source source, Path file) {
        FakeCommandContext context = Source.arguments(file).flag("plain").build();
        PalyraException e = assertThrows(PalyraException.class, () -> source.backup(context));
        assertEquals(ErrorCode.DISK_FULL, e.code(), e.toString());
        return e;
    }

    @Test
    void aFullMediumOfTheFileIsNamedAndNothingIsLeft() throws Exception {
        Path state = temp.resolve("state");
        Source.make(state);
        try (Source source = Source.open(state)) {
            for (int kibibytes = 4; kibibytes < 120; kibibytes += 23) {
                size(kibibytes);
                PalyraException e = refused(source, disk.resolve("backup"));
                assertTrue(
                        e.getMessage().startsWith(disk.resolve("backup") + " cannot be written:")
                                && e.getMessage().contains("has no space left (")
                                && e.getMessage().contains("free some space"),
                        e.getMessage());
                assertEquals(0, files(disk), "at " + kibibytes + " KiB");
                assertEquals(0, files(state.resolve("tmp")), "at " + kibibytes + " KiB");
            }
            size(4_096);
            FakeCommandContext context = Source.arguments(disk.resolve("backup")).build();
            assertEquals(0, source.backup(context));
        }
        Source.requireWhole(state);
    }

    @Test
    void aBackupThatWouldTakeTheGatewaysSpaceIsRefusedBeforeItBegins() throws Exception {
        size(200 << 10);
        Path state = disk.resolve("state");
        Source.make(state);
        try (Source source = Source.open(state)) {
            Path filler = disk.resolve("filler");
            long free = Files.getFileStore(disk).getUsableSpace();
            try (OutputStream out = Files.newOutputStream(filler)) {
                out.write(new byte[(int) (free - Room.SPARE_BYTES)]);
            }
            PalyraException e = refused(source, temp.resolve("backup"));
            assertTrue(e.getMessage().startsWith("A backup needs "), e.getMessage());
            assertEquals(0, files(state.resolve("tmp")));
            Files.delete(filler);
            assertEquals(0, source.backup(Source.arguments(temp.resolve("backup")).build()));
        }
        Source.requireWhole(state);
    }

    @Test
    void aFileOnTheGatewaysMediumLeavesItWhatItNeeds() throws Exception {
        size(200 << 10);
        Path state = disk.resolve("state");
        Files.createDirectories(state);
        Room room = new Room(state);
        Path file = disk.resolve("backup");
        try (OutputStream out = room.checked(Files.newOutputStream(file), file)) {
            PalyraException e =
                    assertThrows(
                            PalyraException.class,
                            () -> {
                                for (int i = 0; i < 200; i++) {
                                    out.write(new byte[1 << 20]);
                                }
                            });
            assertEquals(ErrorCode.DISK_FULL, e.code());
        }
        long free = Files.getFileStore(disk).getUsableSpace();
        assertTrue(free >= Room.SPARE_BYTES, free + " bytes are free");
    }
}
