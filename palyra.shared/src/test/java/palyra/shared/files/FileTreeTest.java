package palyra.shared.files;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
    @TempDir Path folder;

    private Path tree;

    @BeforeEach
    void makeTree() throws IOException {
        tree = Files.createDirectories(folder.resolve("tree/a/b"));
        Files.writeString(tree.resolve("c"), "c");
        tree = folder.resolve("tree");
        Files.writeString(tree.resolve("d"), "d");
    }

    private static void allow(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void removesAFolderWithEverythingInIt() throws IOException {
        FileTree.remove(tree);
        assertFalse(Files.exists(tree));
        assertTrue(Files.exists(folder));
    }

    @Test
    void removesLinksAndNotWhatTheyNameNorFailsWhenNothingIsThere() throws IOException {
        Path kept = Files.createDirectory(folder.resolve("kept"));
        Files.writeString(kept.resolve("file"), "stays");
        Files.createSymbolicLink(tree.resolve("a/link"), kept);
        Files.createSymbolicLink(tree.resolve("nowhere"), folder.resolve("absent"));
        FileTree.remove(tree);
        assertFalse(Files.exists(tree));
        assertTrue(Files.exists(kept.resolve("file")));
        Path link = Files.createSymbolicLink(folder.resolve("link"), kept);
        FileTree.remove(link);
        assertFalse(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
        assertTrue(Files.exists(kept.resolve("file")));
        assertDoesNotThrow(() -> FileTree.remove(tree));
    }

    /** For root every folder is open already; everybody else needs the change. */
    @Test
    void opensFoldersThatTheirOwnerClosed() throws IOException {
        allow(tree.resolve("a/b"), "---------");
        allow(tree.resolve("a"), "r-x------");
        FileTree.remove(tree);
        assertFalse(Files.exists(tree));
    }

    @Test
    void saysWhatCannotBeRemoved() {
        assertThrows(IOException.class, () -> FileTree.remove(Path.of("/proc/self/task")));
    }
}
