package palyra.sandbox.posix.internal.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.HeldFolder;
import palyra.sandbox.posix.internal.libc.Errno;

/** What is made and removed in a folder that is held open, and what does not get past it. */
class FolderComponentTest {
    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rwx------");

    @TempDir Path temp;
    private final FolderCalls calls = new FolderComponent();
    private Path folder;
    private Path aside;
    private Path outside;

    @BeforeEach
    void prepare() throws IOException {
        Path root = temp.toRealPath();
        folder = Files.createDirectory(root.resolve("földer"));
        aside = root.resolve("aside");
        outside = Files.createDirectory(root.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "kept");
    }

    private void exchange() throws IOException {
        Files.move(folder, aside);
        Files.createSymbolicLink(folder, outside);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void fails(
            Class<? extends FileSystemException> type, String errno, Executable call) {
        FileSystemException thrown = assertThrows(type, call);
        assertTrue(thrown.getMessage().endsWith(": " + errno), thrown.getMessage());
    }

    @Test
    void makesAndRemovesFoldersWithTheGivenPermissions() throws IOException {
        try (HeldFolder held = calls.open(folder)) {
            assertEquals(folder, held.path());
            for (String wanted : List.of("rwx------", "r-x------", "rwx--x---")) {
                held.make("made", PosixFilePermissions.fromString(wanted));
                Path made = folder.resolve("made");
                assertEquals(
                        wanted, PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
                held.removeFolder("made");
                assertFalse(Files.exists(made));
            }
            held.make("wörk", OWNER);
            try (HeldFolder inner = held.open("wörk")) {
                assertEquals(folder.resolve("wörk"), inner.path());
                inner.make("deep", OWNER);
            }
            assertTrue(Files.isDirectory(folder.resolve("wörk/deep")));
        }
    }

    @Test
    void everythingHappensInTheVeryFolderWhereverItsPathLeadsNow() throws IOException {
        try (HeldFolder held = calls.open(folder)) {
            exchange();
            held.make("made", OWNER);
            assertEquals(List.of("precious"), names(outside));
            assertEquals(List.of("made"), names(aside));
            assertEquals(List.of("made"), names(held.current().orElseThrow()));
            Files.createDirectory(outside.resolve("made"));
            held.removeFolder("made");
            assertEquals(List.of(), names(aside));
            fails(NoSuchFileException.class, "ENOENT", () -> held.removeFile("precious"));
            assertEquals(List.of("made", "precious"), names(outside));
            try (HeldFolder again = held.open(".")) {
                again.make("other", OWNER);
            }
            assertEquals(List.of("other"), names(aside));
        }
    }

    @Test
    void aPathMakerWouldHaveMadeItInTheLinksTarget() throws IOException {
        exchange();
        Files.createDirectory(folder.resolve("made"));
        assertEquals(List.of("made", "precious"), names(outside), "the positive control");
    }

    @Test
    void opensNoLinkAtTheEndOrOnTheWay() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Files.createSymbolicLink(folder.resolve("link"), outside);
        fails(NotDirectoryException.class, "ENOTDIR", () -> calls.open(folder.resolve("link")));
        try (HeldFolder held = calls.open(folder)) {
            fails(NotDirectoryException.class, "ENOTDIR", () -> held.open("link"));
        }
        Files.move(folder, aside);
        Files.createSymbolicLink(folder, aside);
        fails(NotDirectoryException.class, "ENOTDIR", () -> calls.open(inner));
        calls.open(aside.resolve("inner")).close();
    }

    @Test
    void aNameThatClimbsOrGoesOnIsRefused() throws IOException {
        try (HeldFolder held = calls.open(folder)) {
            for (String name :
                    List.of("", "..", "../outside", "a/b", "/", "a/", "nul\0", "\uD800")) {
                refused(() -> held.make(name, OWNER));
                refused(() -> held.open(name));
                refused(() -> held.removeFolder(name));
                refused(() -> held.removeFile(name));
            }
            refused(() -> held.make(".", OWNER));
            refused(() -> held.removeFolder("."));
            assertEquals(List.of(), names(folder));
            assertEquals(List.of("precious"), names(outside));
        }
        refused(() -> calls.open(Path.of("relative")));
        refused(() -> calls.open(folder.resolve("../outside")));
    }

    private static void refused(Executable call) {
        PalyraException thrown = assertThrows(PalyraException.class, call);
        assertEquals(ErrorCode.INVALID_ARGUMENT, thrown.code(), thrown.getMessage());
    }

    @Test
    void saysWhatTheSystemSaid() throws IOException {
        Files.writeString(folder.resolve("file"), "x");
        Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("nowhere"));
        Files.createDirectories(folder.resolve("full/inner"));
        try (HeldFolder held = calls.open(folder)) {
            fails(NoSuchFileException.class, "ENOENT", () -> held.open("nowhere"));
            fails(NoSuchFileException.class, "ENOENT", () -> held.removeFolder("nowhere"));
            fails(NotDirectoryException.class, "ENOTDIR", () -> held.open("file"));
            fails(NotDirectoryException.class, "ENOTDIR", () -> held.removeFolder("dangling"));
            fails(FileAlreadyExistsException.class, "EEXIST", () -> held.make("file", OWNER));
            fails(FileAlreadyExistsException.class, "EEXIST", () -> held.make("dangling", OWNER));
            fails(DirectoryNotEmptyException.class, "ENOTEMPTY", () -> held.removeFolder("full"));
            fails(FileSystemException.class, "EISDIR", () -> held.removeFile("full"));
            fails(
                    FileSystemException.class,
                    "ENAMETOOLONG",
                    () -> held.make("n".repeat(300), OWNER));
            held.removeFile("dangling");
            assertFalse(Files.exists(folder.resolve("dangling"), LinkOption.NOFOLLOW_LINKS));
        }
        fails(NoSuchFileException.class, "ENOENT", () -> calls.open(folder.resolve("a/b")));
        assertTrue(
                new FolderComponent().open(Path.of("/")).current().isPresent(), "the root itself");
    }

    @Test
    void errorsOfBothSystemsHaveNames() {
        assertEquals("ELOOP", Errno.name(40, true));
        assertEquals("ELOOP", Errno.name(62, false));
        assertEquals("ENOTEMPTY", Errno.name(66, false));
        assertEquals("errno 66", Errno.name(66, true));
        Path path = Path.of("/x");
        assertEquals(AccessDeniedException.class, FolderErrors.of(13, true, path).getClass());
        assertEquals(DirectoryNotEmptyException.class, FolderErrors.of(66, false, path).getClass());
        assertEquals("/x: ENOSPC", FolderErrors.of(28, true, path).getMessage());
    }

    @Test
    void aClosedFolderDoesNothingAlthoughItsNumberIsTakenAgain() throws IOException {
        HeldFolder held = calls.open(folder);
        held.close();
        held.close();
        try (HeldFolder other = calls.open(outside)) {
            fails(FileSystemException.class, "EBADF", () -> held.make("made", OWNER));
            fails(FileSystemException.class, "EBADF", () -> held.open("."));
            fails(FileSystemException.class, "EBADF", () -> held.removeFile("precious"));
            assertTrue(held.current().isEmpty());
            assertEquals(List.of("precious"), names(other.current().orElseThrow()));
        }
        assertEquals(List.of(), names(folder));
    }

    @Test
    void givesItsDescriptorsBack() throws IOException {
        int before = names(Path.of("/proc/self/fd")).size();
        for (int at = 0; at < 300; at++) {
            try (HeldFolder held = calls.open(folder);
                    HeldFolder again = held.open(".")) {
                assertThrows(NoSuchFileException.class, () -> again.open("nowhere"));
            }
            assertThrows(
                    NoSuchFileException.class, () -> calls.open(folder.resolve("nowhere/deep")));
        }
        int after = names(Path.of("/proc/self/fd")).size();
        assertTrue(after < before + 50, before + " before, " + after + " after");
    }
}
