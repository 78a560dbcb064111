package palyra.shared.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTrustTest {
    @TempDir Path temp;
    private Path folder;
    private Path file;
    private FileOwner own;

    @BeforeEach
    void make() throws IOException {
        own = FileOwner.ofThisProcess();
        folder = Files.createDirectory(temp.resolve("drop"));
        mode(folder, "rwx------");
        file = Files.writeString(folder.resolve("a.json"), "{}");
        mode(file, "rw-r--r--");
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void refused(Optional<String> objection, String because) {
        assertTrue(objection.orElse("nothing").contains(because), objection.toString());
    }

    @Test
    void takesAnOrdinaryFile() throws IOException {
        assertEquals(Optional.empty(), FileTrust.strictObjection(file, own));
        assertEquals(Optional.empty(), FileTrust.objection(folder, file));
        assertEquals(Optional.empty(), FileTrust.strictFolderObjection(folder, own));
    }

    @Test
    void refusesWhatOthersMayWriteTo() throws IOException {
        mode(file, "rw-rw-r--");
        refused(FileTrust.strictObjection(file, own), "others than its owner may write");
        assertEquals(Optional.empty(), FileTrust.objection(folder, file));
        mode(file, "rw-r--rw-");
        refused(FileTrust.strictObjection(file, own), "others than its owner may write");
        refused(FileTrust.objection(folder, file), "every user");
        mode(folder, "rwxrwx---");
        refused(FileTrust.strictFolderObjection(folder, own), "others than its owner may write");
    }

    @Test
    void refusesLinksEvenToTrustedFiles() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("b.json"), file);
        refused(FileTrust.strictObjection(link, own), "symbolic link");
        assertEquals(Optional.empty(), FileTrust.objection(folder, link));
        Path outside = Files.writeString(temp.resolve("outside.json"), "{}");
        Path out = Files.createSymbolicLink(folder.resolve("c.json"), outside);
        refused(FileTrust.objection(folder, out), "leads out");
        Path linked = Files.createSymbolicLink(temp.resolve("linked"), folder);
        refused(FileTrust.strictFolderObjection(linked, own), "symbolic link");
    }

    @Test
    void refusesWhatIsNoFile() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("d.json"));
        refused(FileTrust.strictObjection(inner, own), "not a regular file");
        refused(FileTrust.strictFolderObjection(file, own), "not a folder");
    }

    @Test
    void refusesWhatBelongsToSomebodyElse() throws IOException {
        FileOwner other = new FileOwner(own.uid() + 4_711);
        boolean root = own.uid() == 0;
        Optional<String> seen = FileTrust.strictObjection(file, other);
        if (root) {
            assertEquals(Optional.empty(), seen, "what belongs to root is always trusted");
        } else {
            refused(seen, "belongs to user id " + own.uid());
        }
        assumeTrue(root, "only root can give files away");
        Files.setAttribute(file, "unix:uid", 4_711);
        refused(FileTrust.strictObjection(file, own), "belongs to user id 4711");
        refused(FileTrust.objection(folder, file), "belongs to");
        Files.setAttribute(folder, "unix:uid", 4_711);
        refused(FileTrust.strictFolderObjection(folder, own), "belongs to user id 4711");
    }

    @Test
    void refusesAFolderThatOthersCouldExchange() throws IOException {
        Path parent = Files.createDirectory(temp.resolve("parent"));
        Path inner = Files.createDirectory(parent.resolve("drop"));
        mode(inner, "rwx------");
        mode(parent, "rwxrwxrwx");
        refused(FileTrust.strictFolderObjection(inner, own), "could replace its content");
        Files.setAttribute(parent, "unix:mode", 01777);
        assertEquals(Optional.empty(), FileTrust.strictFolderObjection(inner, own));
    }

    @Test
    void aStampShowsAChangeThatWasDatedBack() throws IOException {
        FileStamp before = FileStamp.of(file);
        FileTime date = Files.getLastModifiedTime(file);
        assertEquals(before, FileStamp.of(file));
        // The file system's clock may be coarse, so the change is made until its tick has passed.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (FileStamp.of(file).equals(before) && System.nanoTime() - deadline < 0) {
            Files.writeString(file, "[]");
            Files.setLastModifiedTime(file, date);
        }
        assertEquals(date, Files.getLastModifiedTime(file));
        assertNotEquals(before, FileStamp.of(file));
    }
}
