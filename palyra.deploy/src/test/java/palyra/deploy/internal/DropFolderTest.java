package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.shared.files.FileOwner;
import palyra.testing.wait.Await;

class DropFolderTest {
    @TempDir Path temp;
    private Path place;
    private JarStore store;
    private DropFolder folder;

    @BeforeEach
    void open() throws Exception {
        place = temp.resolve("deploy");
        store = new JarStore(temp);
        folder = new DropFolder(Samples.settings(temp), store, FileOwner.ofThisProcess());
        folder.prepare();
    }

    private static byte[] jar(String version) {
        return new TestJar("acme.one", version).entry("data", "x".repeat(2_000)).bytes();
    }

    private Path write(String name, byte[] bytes) throws IOException {
        Path file = Files.write(place.resolve(name), bytes);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    private DropFile file(String name) {
        return folder.files().get(name);
    }

    private DropFile.Status looked(String name) throws Exception {
        folder.poll();
        return file(name) == null ? null : file(name).status();
    }

    private DropFile settled(String name) throws Exception {
        for (int i = 0; i < 3; i++) {
            folder.poll();
        }
        return file(name);
    }

    @Test
    void takesAFileAfterThreeEqualLooks() throws Exception {
        byte[] bytes = jar("1.0.0");
        write("a.jar", bytes);
        assertEquals(DropFile.Status.SETTLING, looked("a.jar"));
        assertEquals(DropFile.Status.SETTLING, looked("a.jar"));
        assertEquals(DropFile.Status.WHOLE, looked("a.jar"));
        JarFacts facts = file("a.jar").facts().orElseThrow();
        assertEquals(TestJar.pin(bytes), "sha256:" + facts.sha256());
        assertTrue(Arrays.equals(bytes, Files.readAllBytes(facts.jar())));
        assertTrue(facts.jar().startsWith(store.folder()), "it is our own copy");
        DropFile first = file("a.jar");
        assertEquals(DropFile.Status.WHOLE, looked("a.jar"));
        assertEquals(first, file("a.jar"), "an unchanged file is not read again");
    }

    @Test
    void neverTakesAFileThatIsStillBeingWritten() throws Exception {
        byte[] bytes = jar("1.0.0");
        Path file = write("a.jar", new byte[0]);
        int chunk = bytes.length / 20 + 1;
        for (int at = 0; at < bytes.length; at += chunk) {
            Files.write(
                    file,
                    Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + chunk)),
                    StandardOpenOption.APPEND);
            boolean whole = at + chunk >= bytes.length;
            // The writer may even pause for many looks: a beginning is never taken for the whole.
            for (int look = 0; look < 5 && !whole; look++) {
                DropFile.Status status = looked("a.jar");
                assertTrue(
                        status == DropFile.Status.SETTLING || status == DropFile.Status.UNUSABLE,
                        "after " + (at + chunk) + " bytes: " + status);
            }
        }
        assertEquals(DropFile.Status.WHOLE, settled("a.jar").status());
    }

    @Test
    void saysThatAnUnfinishedFileMayStillBeOnItsWay() throws Exception {
        write("a.jar", Arrays.copyOf(jar("1.0.0"), 700));
        DropFile file = settled("a.jar");
        assertEquals(DropFile.Status.UNUSABLE, file.status());
        assertTrue(file.remedy().contains("still being copied"), file.remedy());
    }

    /** The file is changed between the copy and the second reading, and dated back. */
    @Test
    void looksAtTheBytesAndNotOnlyAtTheStamp() throws Exception {
        byte[] good = new TestJar("acme.one", "1.0.0").uncompressed().bytes();
        byte[] evil = new TestJar("acme.one", "6.6.6").uncompressed().bytes();
        assertEquals(good.length, evil.length);
        Path file = write("a.jar", good);
        FileTime date = Files.getLastModifiedTime(file);
        folder.poll();
        folder.poll();
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
            out.write(evil);
        }
        Files.setLastModifiedTime(file, date);
        folder.poll();
        boolean taken = file("a.jar").status() == DropFile.Status.WHOLE;
        assertFalse(taken, "the copy differs from the file");
        Await.until("the new content", Duration.ofSeconds(30), () -> version("6.6.6"));
    }

    private boolean version(String version) {
        try {
            folder.poll();
        } catch (UnusableFileException e) {
            throw new AssertionError(e);
        }
        return file("a.jar")
                .facts()
                .map(facts -> facts.version().toString().equals(version))
                .orElse(false);
    }

    @Test
    void whatWasCheckedIsWhatIsKeptWhateverBecomesOfTheFile() throws Exception {
        byte[] good = jar("1.0.0");
        write("a.jar", good);
        JarFacts facts = settled("a.jar").facts().orElseThrow();
        write("a.jar", jar("6.6.6"));
        assertTrue(Arrays.equals(good, Files.readAllBytes(facts.jar())));
        assertEquals(facts.sha256(), JarStore.digest(facts.jar(), 1 << 20));
    }

    @Test
    void followsNoLinks() throws Exception {
        Path outside = Files.write(temp.resolve("outside.jar"), jar("1.0.0"));
        Files.createSymbolicLink(place.resolve("a.jar"), outside);
        DropFile file = settled("a.jar");
        assertEquals(DropFile.Status.UNTRUSTED, file.status());
        assertTrue(file.reason().contains("symbolic link"), file.reason());
        Files.delete(place.resolve("a.jar"));
        Path inside = write("b.jar", jar("1.0.0"));
        Files.createSymbolicLink(place.resolve("a.jar"), inside);
        assertEquals(DropFile.Status.UNTRUSTED, settled("a.jar").status());
        assertEquals(DropFile.Status.WHOLE, file("b.jar").status());
    }

    @Test
    void readsNoFileThatSomebodyElseMayHaveWritten() throws Exception {
        Path file = write("a.jar", jar("1.0.0"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        DropFile found = settled("a.jar");
        assertEquals(DropFile.Status.UNTRUSTED, found.status());
        assertTrue(found.remedy().contains("chmod go-w"), found.remedy());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Await.until("it to be trusted", Duration.ofSeconds(30), () -> version("1.0.0"));
        assumeTrue(FileOwner.ofThisProcess().uid() == 0, "only root can give files away");
        Files.setAttribute(file, "unix:uid", 4_711);
        Await.until("the owner", Duration.ofSeconds(30), () -> !version("1.0.0"));
        assertTrue(settled("a.jar").reason().contains("user id 4711"));
    }

    @Test
    void readsNoFolderOrPipeThatIsCalledAJar() throws Exception {
        Files.createDirectory(place.resolve("a.jar"));
        assertTrue(settled("a.jar").reason().contains("not a regular file"));
    }

    @Test
    void refusesWhatIsTooLarge() throws Exception {
        write("a.jar", new byte[(int) Samples.MAX_BYTES + 1]);
        assertTrue(settled("a.jar").reason().contains("more than"));
    }

    @Test
    void knowsAFileAsGoneAfterTwoLooksOnly() throws Exception {
        Path file = write("a.jar", jar("1.0.0"));
        settled("a.jar");
        Path aside = Files.move(file, temp.resolve("aside"));
        assertEquals(DropFile.Status.WHOLE, looked("a.jar"), "it may be about to be replaced");
        Files.move(aside, file);
        assertEquals(DropFile.Status.WHOLE, settled("a.jar").status());
        Files.delete(file);
        folder.poll();
        assertEquals(null, looked("a.jar"));
    }

    @Test
    void takesAFileThatIsMovedInPlaceOfAnother() throws Exception {
        write("a.jar", jar("1.0.0"));
        settled("a.jar");
        Path next = Files.write(temp.resolve("next"), jar("2.0.0"));
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
        Files.move(next, place.resolve("a.jar"), StandardCopyOption.ATOMIC_MOVE);
        assertEquals(DropFile.Status.SETTLING, looked("a.jar"));
        Await.until("the new file", Duration.ofSeconds(30), () -> version("2.0.0"));
    }

    @Test
    void readsNothingWhenTheFolderIsNotTrusted() throws Exception {
        write("a.jar", jar("1.0.0"));
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        UnusableFileException refusal = assertThrows(UnusableFileException.class, folder::poll);
        assertTrue(refusal.getMessage().contains("not trusted"), refusal.getMessage());
        assertTrue(folder.files().isEmpty());
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals(DropFile.Status.WHOLE, settled("a.jar").status());
        Path aside = Files.move(place, temp.resolve("aside"));
        refusal = assertThrows(UnusableFileException.class, folder::poll);
        assertTrue(refusal.getMessage().contains("does not exist"), refusal.getMessage());
        assertEquals(DropFile.Status.WHOLE, file("a.jar").status(), "the previous state stays");
        Files.createSymbolicLink(place, aside);
        assertThrows(UnusableFileException.class, folder::poll);
    }

    @Test
    void listsWhatIsNoUsableJarApart() throws Exception {
        write("a b.jar", jar("1.0.0"));
        write(".hidden.jar", jar("1.0.0"));
        write("x.json", new byte[] {'{', '}'});
        write("README.md", new byte[0]);
        folder.poll();
        assertEquals(Set.of(), folder.files().keySet());
        assertEquals(Set.of("a b.jar"), folder.listing().misnamed());
        assertEquals(Set.of("x.json"), folder.listing().configurations());
    }

    @Test
    void forgetsCopiesThatNobodyNeeds() throws Exception {
        write("a.jar", jar("1.0.0"));
        String old = settled("a.jar").facts().orElseThrow().sha256();
        write("a.jar", jar("2.0.0"));
        Await.until("the new content", Duration.ofSeconds(30), () -> version("2.0.0"));
        String now = file("a.jar").facts().orElseThrow().sha256();
        store.keepOnly(Set.of(now));
        assertFalse(Files.exists(store.jar(old)));
        assertTrue(Files.exists(store.jar(now)));
    }
}
